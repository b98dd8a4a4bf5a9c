import{B as e,C as t,L as n,M as r,O as i,R as a,S as o,T as s,V as c,Y as l,_ as u,b as d,c as f,g as p,h as m,k as h,l as g,p as ee,r as _,v,x as y,y as b}from"./three.js";import{n as x,r as S}from"./client.js";import{a as te,i as ne,n as re,o as C,r as w}from"./panes.js";var ie=11,T=1024,E={instances:`
in vec4 place;
in vec4 turn;
void pose(out vec4 translation, out vec4 rotation) {
  translation = place;
  rotation = turn;
}`,texture:`
uniform highp sampler2D poses;
in float body;
void pose(out vec4 translation, out vec4 rotation) {
  int texel = int(body) * 2;
  ivec2 place = ivec2(texel % ${T}, texel / ${T});
  translation = texelFetch(poses, place, 0);
  rotation = texelFetch(poses, place + ivec2(1, 0), 0);
}`},D=`
in vec3 normal;
float light(vec4 rotation, vec3 seen) {
  vec3 lit = mat3(viewMatrix) * turned(rotation, normal);
  lit = dot(lit, seen) > 0.0 ? -lit : lit;
  return 0.62 + 0.3 * lit.z + 0.16 * lit.y - 0.08 * lit.x;
}`,O=`float light(vec4 rotation, vec3 seen) { return 1.0; }`;function k(e,t){return`
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 palette[${ie}];
in vec3 position;
flat out vec3 tint;
${E[e]}
vec3 turned(vec4 rotation, vec3 vector) {
  return vector + 2.0 * cross(rotation.xyz, cross(rotation.xyz, vector) + rotation.w * vector);
}
${t}
void main() {
  vec4 translation;
  vec4 rotation;
  pose(translation, rotation);
  vec4 seen = viewMatrix * vec4(turned(rotation, position) + translation.xyz, 1.0);
  tint = palette[int(translation.w)] * light(rotation, seen.xyz);
  gl_Position = projectionMatrix * seen;
}`}var ae=`
precision mediump float;
flat in vec3 tint;
uniform float opacity;
out vec4 colour;
void main() { colour = vec4(tint, opacity); }`;function A(e,t){return{glslVersion:u,vertexShader:e,fragmentShader:ae,uniforms:{poses:{value:null},palette:{value:[]},opacity:{value:t}}}}function j(e,t){return new c({...A(k(e,D),1),side:t})}function M(e){return new c({...A(k(e,O),.55),side:2,transparent:!0,depthTest:!1,depthWrite:!1})}function N(e,t,n){e.closed.uniforms.palette={value:t.bodies},e.open.uniforms.palette={value:t.bodies};let r=n?t.bodies.map(()=>t.edges):t.bodies;e.lines.uniforms.palette={value:r}}function P(e,t){if(e.triangles.length/3<=t*1.5)return e;let n=new Set,r=Math.max(Math.ceil(t/2)+2,6);for(let t=0;t<r;t+=1)n.add(se(e.vertices,oe(t,r)));let i=[...n].map(t=>new l().fromArray(e.vertices,t*3));if(i.length<4)return e;let a=new Map(i.map((e,t)=>[e,t])),o=[];for(let e of new _().setFromPoints(i).faces){let t=e.edge;for(let e=t.next;e.next!==t;e=e.next)o.push(...[t,e,e.next].map(e=>a.get(e.head().point)??0))}return{vertices:Float32Array.from(i.flatMap(e=>e.toArray())),triangles:Uint32Array.from(o)}}function oe(e,t){let n=1-2*(e+.5)/t,r=e*Math.PI*(3-Math.sqrt(5)),i=Math.sqrt(1-n*n);return new l(i*Math.cos(r),n,i*Math.sin(r))}function se(e,t){let n=0,r=-1/0;for(let i=0;i*3<e.length;i+=1){let a=e[i*3]??0,o=e[i*3+1]??0,s=e[i*3+2]??0,c=a*t.x+o*t.y+s*t.z;c>r&&(r=c,n=i)}return n}var ce=1e-4;function F(e,t){let n=Array.from(e),r=Array(e.length),i=new Uint32Array(t.length);for(let a=0;a<t.length;a+=3){let o=[t[a]??0,t[a+1]??0,t[a+2]??0],s=R(e,o),c=le(o,s,r),[l=0,u=0,d=0]=[o[(c+1)%3],o[(c+2)%3],o[c]],f=d;!I(r,d)&&!L(r,d,s)&&(f=n.length/3,n.push(n[d*3]??0,n[d*3+1]??0,n[d*3+2]??0));for(let e of[0,1,2])r[f*3+e]=s[e];i.set([l,u,f],a)}return{vertices:Float32Array.from(n),normals:Float32Array.from(n,(e,t)=>r[t]??0),triangles:i}}function le(e,t,n){let r=e.findIndex(e=>L(n,e,t)),i=e.findIndex(e=>I(n,e));return r>=0?r:Math.max(i,0)}function I(e,t){return e[t*3]===void 0}function L(e,t,n){return n.every((n,r)=>Math.abs((e[t*3+r]??1/0)-n)<ce)}function R(e,[t=0,n=0,r=0]){let i=(t,n)=>e[t*3+n]??0,a=e=>[0,1,2].map(n=>i(e,n)-i(t,n)),[o=0,s=0,c=0]=a(n),[l=0,u=0,d=0]=a(r),f=[s*d-c*u,c*l-o*d,o*u-s*l],p=Math.hypot(...f);return p>0?f.map(e=>e/p):[0,0,1]}var z=8;function B(e,{vertices:t,triangles:n}){return{...e,...F(t,n)}}function V(e,t,n,{look:r,flat:i}){let a=[],o=(t,n)=>{t.frustumCulled=!1,t.matrixAutoUpdate=!1,t.renderOrder=n,e.add(t),a.push(t)},c=(t.index?.count??0)>0;return c&&o(new h(t,r.faces),0),(i||!c)&&o(new s(n(),r.lines),1),a}var H=class{#e;#t;#n;#r=0;constructor(e,t,n,r,i){this.#e=new Float32Array(n*z),this.#t=new d(this.#e,z),this.#t.setUsage(m);let a=new f(t.vertices,3),s=new f(t.normals,3),c=e=>{let t=new b;return t.setAttribute(`position`,a),t.setAttribute(`normal`,s),t.setAttribute(`place`,new o(this.#t,4,0)),t.setAttribute(`turn`,new o(this.#t,4,4)),t.setIndex(new f(e,1)),t};this.#n=V(e,c(t.triangles),()=>c(t.edges),{look:{faces:t.open?r.open:r.closed,lines:r.lines},flat:i})}clear(){this.#r=0}add(e,t,n){let r=this.#e,i=t*7,a=this.#r*z;r[a]=e[i]??0,r[a+1]=e[i+1]??0,r[a+2]=e[i+2]??0,r[a+3]=n,r[a+4]=e[i+3]??0,r[a+5]=e[i+4]??0,r[a+6]=e[i+5]??0,r[a+7]=e[i+6]??1,this.#r+=1}finish(){for(let e of this.#n)e.visible=this.#r>0,e.geometry.instanceCount=this.#r;this.#r>0&&(this.#t.clearUpdateRanges(),this.#t.addUpdateRange(0,this.#r*z),this.#t.needsUpdate=!0)}},U=class{group=new v;#e=new v;#t=new v;#n;#r;constructor(t,n){let i=Math.max(1,Math.ceil(t*2/T));this.#n=new Float32Array(T*i*4),this.#r=new ee(this.#n,T,i,e,p),this.#r.minFilter=r,this.#r.magFilter=r;for(let e of[n.closed,n.open,n.lines])e.uniforms.poses={value:this.#r};for(let e of[this.group,this.#e,this.#t])e.matrixAutoUpdate=!1;this.group.add(this.#e,this.#t),this.setFine(!0)}add(e,t,n,r){let i=e===`fine`?this.#e:this.#t;for(let e of[!1,!0]){let a=t.filter(({shape:t})=>t.open===e);if(a.length>0){let{faces:t,edges:o}=W(a);V(i,t,o,{look:{faces:e?n.open:n.closed,lines:n.lines},flat:r})}}}setFine(e){this.#t.visible=!e&&this.#t.children.length>0,this.#e.visible=!this.#t.visible}setPoses(e,t){let n=this.#n;for(let r=0;r<t.length;r+=1){let i=r*7,a=r*8;n.set(e.subarray(i,i+3),a),n[a+3]=t[r]??0,n.set(e.subarray(i+3,i+7),a+4)}this.#r.needsUpdate=!0}dispose(){this.#r.dispose()}};function W(e){let t=e.reduce((e,{shape:t})=>e+t.vertices.length/3,0),n=new Float32Array(t*3),r=new Float32Array(t*3),i=new Float32Array(t),a=[],o=[],s=0;for(let{shape:t,body:c}of e){let e=t.vertices.length/3;n.set(t.vertices,s*3),r.set(t.normals,s*3),i.fill(c,s,s+e);for(let e of t.triangles)a.push(s+e);for(let e of t.edges)o.push(s+e);s+=e}let c=e=>{let t=new g;return t.setAttribute(`position`,new f(n,3)),t.setAttribute(`normal`,new f(r,3)),t.setAttribute(`body`,new f(i,1)),t.setIndex(new f(Uint32Array.from(e),1)),t};return{faces:c(a),edges:()=>c(o)}}var G=class{#e;#t;#n;#r;#i;constructor(e,t){e.updateMatrixWorld();let n=e.projectionMatrix.elements;this.#e=new i().multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse).elements,this.#t=n[5];let r=n[11]===0?0:1;this.#n=Math.hypot(n[0],r),this.#r=Math.hypot(this.#t,r),this.#i=t/2}scale(e,t){let n=this.#a(3,e,t);return n>0?this.#t*this.#i/n:0}radius(e,t,n){let r=this.#a(3,e,t);if(r<=-n)return 0;let i=Math.abs(this.#a(0,e,t)),a=Math.abs(this.#a(1,e,t));return i>r+n*this.#n||a>r+n*this.#r?0:r>n?n*this.#t*this.#i/r:1/0}#a(e,t,n){let r=this.#e;return(r[e]??0)*(t[n]??0)+(r[e+4]??0)*(t[n+1]??0)+(r[e+8]??0)*(t[n+2]??0)+(r[e+12]??0)}},ue=3,de=48,K=6e4,q=[{radius:5,triangles:7},{radius:9,triangles:9},{radius:18,triangles:20},{radius:40,triangles:60}],fe=new Set([`mesh`,`height_field`,`triangle`,`segment`,`polyline`,`compound`,`custom`,`point`,`half_space`]),pe=class{group=new v;#e=!1;#t=[];#n=null;#r=J(`instances`,3);#i=J(`texture`,3);#a=new Float32Array;#o=new Uint8Array;#s=new Uint8Array;#c=!0;#l=!0;#u=!1;#d;constructor(e){this.#d=e,this.group.matrixAutoUpdate=!1}get hasCoarse(){return this.#u}setFine(e){this.#l||=this.#c!==e,this.#c=e,this.#n?.setFine(e)}setShapes(e,t,n){this.dispose(),this.#e=n===2,this.#r=J(`instances`,n),this.#i=J(`texture`,n);let r=S(t,e.body_shapes),i=S(t,e.body_kinds);this.#s=Uint8Array.from(r,(t,n)=>{let r=i[n]??0;return r&2?w.standIn:r&1?te(e.shapes[t]?.kind??``):w.fixed}),this.#o=this.#s.slice(),this.#p(e,t,r),this.setFine(!0),this.#l=!0}setPoses(e){this.#a=e,this.#n?.setPoses(e,this.#o),this.#l=!0}setTints(e){this.#o.set(this.#s);for(let[t,n]of e)t<this.#o.length&&(this.#o[t]=n);this.#n?.setPoses(this.#a,this.#o),this.#l=!0}setPalette(e){N(this.#r,e,this.#e),N(this.#i,e,this.#e)}prepare(e,t){let n=this.#u&&!this.#c;if(!this.#l&&!n)return;this.#l=!1;let r=n?new G(e,t):null;for(let e of this.#t)this.#f(e,r)}dispose(){this.group.traverse(e=>e.geometry?.dispose()),this.group.clear(),this.#n?.dispose(),this.#n=null,this.#t=[];for(let{closed:e,open:t,lines:n}of[this.#r,this.#i])e.dispose(),t.dispose(),n.dispose()}#f({bodies:e,radius:t,all:n,levels:r},i){let a=this.#a;for(let e of[n,...r])e.clear();for(let o of e){let e=o*7;if(e+7>a.length)continue;let s=i?i.radius(a,e,t):1/0;s>0&&(r[q.findIndex(e=>s<=e.radius)]??n).add(a,o,this.#o[o]??0)}for(let e of[n,...r])e.finish()}#p(e,t,n){let r=new Map;n.forEach((e,t)=>{let n=r.get(e);n?n.push(t):r.set(e,[t])});let i=[],a=0;for(let[n,o]of r){let r=e.shapes[n];if(r){let e={open:fe.has(r.kind),...F(x(t,r.vertices),S(t,r.triangles)),edges:S(t,r.edges).slice()};i.push({shape:e,bodies:o}),a+=e.triangles.length/3*o.length}}this.#u=this.#d&&!this.#e&&a>K;let o=i.filter(({bodies:e})=>i.length>de&&e.length<=ue);for(let e of i)o.includes(e)||this.#t.push(this.#m(e));o.length>0&&this.#h(o.flatMap(({shape:e,bodies:t})=>t.map(t=>({shape:e,body:t}))))}#m({shape:e,bodies:t}){let n=e=>new H(this.group,e,t.length,this.#r,this.#e),r=this.#u&&!e.open?q.map(({triangles:t})=>n(B(e,P(e,t)))):[];return{bodies:t,radius:me(e),all:n(e),levels:r}}#h(e){let t=new U(this.#s.length,this.#i);if(t.add(`fine`,e,this.#i,this.#e),this.#u){let n=Math.max(K/this.#s.length,q[0]?.triangles??0),r=e.map(({shape:e,body:t})=>({shape:e.open?e:B(e,P(e,n)),body:t}));t.add(`coarse`,r,this.#i,this.#e)}this.#n=t,this.group.add(t.group)}};function J(e,t){let n=M(e);return t===2?{closed:M(e),open:M(e),lines:n}:{closed:j(e,0),open:j(e,2),lines:n}}function me({vertices:e}){let t=0;for(let n=0;n<e.length;n+=3)t=Math.max(t,Math.hypot(e[n]??0,e[n+1]??0,e[n+2]??0));return t}var Y=6,he=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 least;
in vec3 greatest;
void main() {
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(least, greatest, position), 1.0));
}`,ge=`
precision mediump float;
uniform vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 0.75); }`;function _e(){let e=[];for(let t=0;t<8;t+=1)for(let n of[1,2,4])if((t&n)===0)for(let r of[t,t|n])e.push(r&1,r>>1&1,r>>2&1);return Float32Array.from(e)}var ve=class{object;#e={value:null};constructor(){let e=new c({glslVersion:u,vertexShader:he,fragmentShader:ge,uniforms:{tint:this.#e},transparent:!0,depthWrite:!1});this.object=new s(new b,e),this.object.frustumCulled=!1,this.object.matrixAutoUpdate=!1,this.object.renderOrder=2,this.object.visible=!1}get count(){return this.object.visible?this.object.geometry.instanceCount:0}setBoxes(e){this.object.geometry.dispose();let t=new d(e,Y),n=new b;n.setAttribute(`position`,new f(_e(),3)),n.setAttribute(`least`,new o(t,3,0)),n.setAttribute(`greatest`,new o(t,3,3)),n.instanceCount=e.length/Y,this.object.geometry=n,this.object.visible=e.length>0}setPalette(e){this.#e.value=e.boxes}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}},X=3,Z=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 deep;
uniform vec3 shallow;
uniform vec3 near;
uniform vec3 far;
uniform float margin;
uniform float depth;
uniform float dot;
in vec3 position;
in float gap;
flat out vec3 tint;
void main() {
  tint = gap < 0.0
    ? mix(shallow, deep, min(1.0, -gap / depth))
    : mix(near, far, min(1.0, gap / max(margin, 1e-12)));
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
  gl_PointSize = dot;
}`,ye=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 normalColour;
in vec3 position;
flat out vec3 tint;
void main() {
  tint = normalColour;
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
}`,be=`
precision mediump float;
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1.0); }`,Q=4,xe={deep:{value:null},shallow:{value:null},near:{value:null},far:{value:null},normalColour:{value:null},margin:{value:.05},depth:{value:.5},dot:{value:X}},$=class{geometry=new g;#e=new Float32Array;#t=null;#n=0;clear(e){this.#n=0,this.#e.length<e*Q&&(this.geometry.dispose(),this.#e=new Float32Array(Math.ceil(e*1.5)*Q),this.#t=new y(this.#e,Q),this.#t.setUsage(m),this.geometry.setAttribute(`position`,new o(this.#t,3,0)),this.geometry.setAttribute(`gap`,new o(this.#t,1,3)))}add(e,t,n,r){let i=this.#e;i[this.#n]=e,i[this.#n+1]=t,i[this.#n+2]=n,i[this.#n+3]=r,this.#n+=Q}finish(){this.geometry.setDrawRange(0,this.#n/Q),this.#t&&this.#n>0&&(this.#t.clearUpdateRanges(),this.#t.addUpdateRange(0,this.#n),this.#t.needsUpdate=!0)}},Se=class{group=new v;#e=structuredClone(xe);#t=new $;#n=new $;#r=new $;#i=[Z,Z,ye].map(e=>this.#d(e));#a=new s(this.#t.geometry,this.#i[0]);#o=new n(this.#n.geometry,this.#i[1]);#s=new s(this.#r.geometry,this.#i[2]);#c=new Float32Array;#l=.5;constructor(){this.group.matrixAutoUpdate=!1;for(let e of[this.#s,this.#a,this.#o])e.frustumCulled=!1,e.matrixAutoUpdate=!1,e.renderOrder=3,this.group.add(e);this.#s.visible=!1}setContacts(e){this.#c=e,this.group.visible=e.length>=13}prepare(e,t,n){this.#e.dot.value=Math.max(1,Math.round(X*n));let r=Math.floor(this.#c.length/13);this.#t.clear(r*2),this.#n.clear(r),this.#r.clear(this.#s.visible?r*2:0);let i=new G(e,t);for(let e=0;e<r;e+=1)this.#u(e*13,i);for(let e of[this.#t,this.#n,this.#r])e.finish()}setScale(e,t){this.#e.margin.value=e,this.#e.depth.value=t}show(e){this.#a.visible=e.contacts,this.#o.visible=e.contacts,this.#s.visible=e.normals,this.#l=e.normalLength}setPalette(e){let t=ne();this.#e.deep.value=t.deep,this.#e.shallow.value=t.shallow,this.#e.near.value=t.near,this.#e.far.value=t.far,this.#e.normalColour.value=e.normal}dispose(){for(let{geometry:e}of[this.#t,this.#n,this.#r])e.dispose();for(let e of this.#i)e.dispose()}#u(e,t){let n=this.#c,r=t=>n[e+t]??0,i=r(3),[a,o,s]=[r(4),r(5),r(6)],[c,l,u]=[r(7),r(8),r(9)],[d,f,p]=[(a+c)/2,(o+l)/2,(s+u)/2];if(this.#n.add(d,f,p,i),Math.hypot(c-a,l-o,u-s)*t.scale(n,e+4)>this.#e.dot.value&&(this.#t.add(a,o,s,i),this.#t.add(c,l,u,i)),this.#s.visible){let e=this.#l;this.#r.add(d,f,p,i),this.#r.add(d+r(10)*e,f+r(11)*e,p+r(12)*e,i)}}#d(e){return new c({glslVersion:u,vertexShader:e,fragmentShader:be,uniforms:this.#e,depthTest:!1,depthWrite:!1,transparent:!0,blending:0})}},Ce=600,we=.6,Te=class{stage;bodies;contacts=new Se;boxes=new ve;#e;#t;#n=new Float32Array;#r=new Float32Array;#i=new Uint32Array;#a;#o={contacts:!0,normals:!1};constructor(e){this.stage=new re(e,3),this.bodies=new pe(this.stage.software),this.#e=new s(new g,new t({depthTest:!1,transparent:!0})),this.#t=new n(new g,new a({depthTest:!1,transparent:!0,size:9,sizeAttenuation:!1}));for(let e of[this.#e,this.#t])e.frustumCulled=!1,e.renderOrder=5,e.visible=!1;this.stage.scene.add(this.bodies.group,this.boxes.object,this.contacts.group,this.#e,this.#t),this.stage.onMotion.push(()=>this.#s()),this.stage.onDraw=()=>{let{camera:e,canvas:t}=this.stage;this.bodies.prepare(e,t.height),this.contacts.prepare(e,t.height,t.height/Math.max(t.clientHeight,1))},this.stage.onTheme=()=>this.#l(),this.#l()}begin(e,t,n){this.stage.setBounds(t),this.stage.setDimension(e),this.contacts.setScale(n,this.depthOfScale(n)),this.boxes.setBoxes(new Float32Array),this.mark(null)}depthOfScale(e){return Math.max(e*4,.001)}setShapes(e,t){this.bodies.setShapes(e,t,this.stage.dimension),this.#c(),this.#l()}setFrame(e,t){this.#n=x(t,e.poses),this.#r=x(t,e.contacts),this.#i=new Uint32Array(this.#r.buffer,this.#r.byteOffset,this.#r.length),this.bodies.setPoses(this.#n),this.contacts.setContacts(this.#r),this.#s(),this.stage.invalidate()}show(e){this.#o=e,this.contacts.show({...e,normalLength:this.stage.extent()/60}),this.stage.invalidate()}setBoxes(e){this.boxes.setBoxes(e),this.boxes.setPalette(C()),this.stage.invalidate()}highlight(e,t=[]){this.bodies.setTints([...t.map(e=>[e,w.differs]),...e.map(e=>[e,w.selected])]),this.stage.invalidate()}mark(e){for(let t of[this.#e,this.#t])t.visible=e!==null;if(e){let{pointA:t,pointB:n,normal:r}=e,i=n.clone().addScaledVector(r,this.stage.extent()/40);this.#e.geometry.setFromPoints([t,n,n,i]);let a=Float32Array.of(...t.toArray(),...n.toArray());this.#t.geometry.setAttribute(`position`,new f(a,3))}this.stage.invalidate()}fitBodies(){let e=new l(1/0,1/0,1/0),t=new l(-1/0,-1/0,-1/0);for(let n=0;n*7<this.#n.length;n+=1){let r=this.positionOf(n);e.min(r),t.max(r)}let n=t.distanceTo(e)*.05+1,r={min:[e.x-n,e.y-n,e.z-n],max:[t.x+n,t.y+n,t.z+n]};this.stage.setBounds(this.#n.length>0?r:null),this.stage.fit()}positionOf(e){return new l().fromArray(this.#n,e*7)}beside(e,t,n){let r=this.stage.extent()/100,i=this.stage.camera,a=new l().setFromMatrixColumn(i.matrixWorld,0).multiplyScalar(t*r),o=new l().setFromMatrixColumn(i.matrixWorld,1).multiplyScalar(n*r);return this.positionOf(e).add(a).add(o).toArray()}contact(e){let t=e*13;return t+13>this.#r.length?null:{number:e,a:this.#i[t]??0,b:this.#i[t+1]??0,distance:this.#r[t+3]??0,pointA:new l().fromArray(this.#r,t+4),pointB:new l().fromArray(this.#r,t+7),normal:new l().fromArray(this.#r,t+10)}}contactOf(e,t){for(let n=0;n<this.#i.length;n+=13)if(this.#i[n]===e&&this.#i[n+1]===t)return this.contact(n/13);return null}contactAt(e,t,n){if(!this.#o.contacts&&!this.#o.normals)return null;let r=this.stage.canvas.getBoundingClientRect(),i=null,a=n;for(let n=0;n<this.#i.length/13;n+=1){let o=this.contact(n),s=o?.pointA.clone().lerp(o.pointB,.5),c=s?this.stage.place(s):null;if(o&&c){let n=Math.hypot(c.x+r.left-e,c.y+r.top-t);n<a&&(a=n,i=o)}}return i}get contactNumbers(){return this.#r}dispose(){clearTimeout(this.#a),this.bodies.dispose(),this.contacts.dispose(),this.boxes.dispose(),this.stage.dispose()}#s(){this.bodies.hasCoarse&&(this.bodies.setFine(!1),this.stage.setDetail(we),clearTimeout(this.#a),this.#a=setTimeout(()=>this.#c(),Ce))}#c(){clearTimeout(this.#a),this.bodies.setFine(!0),this.stage.setDetail(1)}#l(){let e=C();this.bodies.setPalette(e),this.contacts.setPalette(e),this.boxes.setPalette(e);let t=e.bodies[w.selected];t&&(this.#e.material.color=t,this.#t.material.color=t)}};export{Te as t};