import{A as e,C as t,H as n,I as r,N as i,O as a,R as o,S as s,T as c,V as l,X as u,_ as d,b as f,c as p,g as ee,h as m,k as h,l as g,p as te,r as ne,s as _,v,x as re,y,z as ie}from"./three.js";import{n as b,r as x}from"./client.js";import{a as ae,i as oe,n as S,o as C,r as w}from"./panes.js";var T=w.pale+1,E=1024,se={instances:`
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
  ivec2 place = ivec2(texel % ${E}, texel / ${E});
  translation = texelFetch(poses, place, 0);
  rotation = texelFetch(poses, place + ivec2(1, 0), 0);
}`},ce=`
in vec3 normal;
float light(vec4 rotation, vec3 seen) {
  vec3 lit = mat3(viewMatrix) * turned(rotation, normal);
  lit = dot(lit, seen) > 0.0 ? -lit : lit;
  return 0.62 + 0.3 * lit.z + 0.16 * lit.y - 0.08 * lit.x;
}`,le=`float light(vec4 rotation, vec3 seen) { return 1.0; }`;function D(e,t){return`
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 palette[${T}];
in vec3 position;
flat out vec3 tint;
flat out int number;
${se[e]}
vec3 turned(vec4 rotation, vec3 vector) {
  return vector + 2.0 * cross(rotation.xyz, cross(rotation.xyz, vector) + rotation.w * vector);
}
${t}
void main() {
  vec4 translation;
  vec4 rotation;
  pose(translation, rotation);
  vec4 seen = viewMatrix * vec4(turned(rotation, position) + translation.xyz, 1.0);
  number = int(translation.w);
  tint = palette[number] * light(rotation, seen.xyz);
  gl_Position = projectionMatrix * seen;
}`}var ue=`
precision highp float;
precision highp int;
flat in vec3 tint;
flat in int number;
uniform float opacity;
out vec4 colour;
void main() {
#ifdef PALE
  if (number == ${w.pale} && any(equal(ivec2(gl_FragCoord.xy) & 1, ivec2(1)))) {
    discard;
  }
#endif
  colour = vec4(tint, opacity);
}`;function O(e,t){return{glslVersion:d,vertexShader:e,fragmentShader:ue,uniforms:{poses:{value:null},palette:{value:[]},opacity:{value:t}}}}function k(e,t){return new n({...O(D(e,ce),1),side:t})}function A(e){return new n({...O(D(e,le),.55),side:2,transparent:!0,depthTest:!1,depthWrite:!1})}function de(e,t){for(let n of[e.closed,e.open,e.lines])`PALE`in n.defines!==t&&(n.defines=t?{PALE:1}:{},n.needsUpdate=!0)}function j(e,t,n){e.closed.uniforms.palette={value:t.bodies},e.open.uniforms.palette={value:t.bodies};let r=n?t.bodies.map(()=>t.edges):t.bodies;e.lines.uniforms.palette={value:r}}var fe=12;function M(e,t){if(e.triangles.length/3<=Math.max(t*1.5,fe))return e;let n=new Set,r=Math.max(Math.ceil(t/2)+2,6);for(let t=0;t<r;t+=1)n.add(N(e.vertices,pe(t,r)));let i=[...n].map(t=>new u().fromArray(e.vertices,t*3));if(i.length<4)return e;let a=new Map(i.map((e,t)=>[e,t])),o=[];for(let e of new ne().setFromPoints(i).faces){let t=e.edge;for(let e=t.next;e.next!==t;e=e.next)o.push(...[t,e,e.next].map(e=>a.get(e.head().point)??0))}return{vertices:Float32Array.from(i.flatMap(e=>e.toArray())),triangles:Uint32Array.from(o)}}function pe(e,t){let n=1-2*(e+.5)/t,r=e*Math.PI*(3-Math.sqrt(5)),i=Math.sqrt(1-n*n);return new u(i*Math.cos(r),n,i*Math.sin(r))}function N(e,t){let n=0,r=-1/0;for(let i=0;i*3<e.length;i+=1){let a=e[i*3]??0,o=e[i*3+1]??0,s=e[i*3+2]??0,c=a*t.x+o*t.y+s*t.z;c>r&&(r=c,n=i)}return n}var P=1e-4;function F(e,t){let n=Array.from(e),r=Array(e.length),i=new Uint32Array(t.length);for(let a=0;a<t.length;a+=3){let o=[t[a]??0,t[a+1]??0,t[a+2]??0],s=z(e,o),c=I(o,s,r),[l=0,u=0,d=0]=[o[(c+1)%3],o[(c+2)%3],o[c]],f=d;!L(r,d)&&!R(r,d,s)&&(f=n.length/3,n.push(n[d*3]??0,n[d*3+1]??0,n[d*3+2]??0));for(let e of[0,1,2])r[f*3+e]=s[e];i.set([l,u,f],a)}return{vertices:Float32Array.from(n),normals:Float32Array.from(n,(e,t)=>r[t]??0),triangles:i}}function I(e,t,n){let r=e.findIndex(e=>R(n,e,t)),i=e.findIndex(e=>L(n,e));return r>=0?r:Math.max(i,0)}function L(e,t){return e[t*3]===void 0}function R(e,t,n){return n.every((n,r)=>Math.abs((e[t*3+r]??1/0)-n)<P)}function z(e,[t=0,n=0,r=0]){let i=(t,n)=>e[t*3+n]??0,a=e=>[0,1,2].map(n=>i(e,n)-i(t,n)),[o=0,s=0,c=0]=a(n),[l=0,u=0,d=0]=a(r),f=[s*d-c*u,c*l-o*d,o*u-s*l],p=Math.hypot(...f);return p>0?f.map(e=>e/p):[0,0,1]}var B=8;function V(e,{vertices:t,triangles:n}){return{...e,...F(t,n)}}function H(t,n,r,{look:i,flat:a}){let o=[],s=(e,n)=>{e.frustumCulled=!1,e.matrixAutoUpdate=!1,e.renderOrder=n,t.add(e),o.push(e)},l=(n.index?.count??0)>0;return l&&s(new e(n,i.faces),0),(a||!l)&&s(new c(r(),i.lines),1),o}var me=class{#e;#t;#n;#r=0;constructor(e,t,n,r,i){this.#e=new Float32Array(n*B),this.#t=new f(this.#e,B),this.#t.setUsage(m);let a=new p(t.vertices,3),o=new p(t.normals,3),c=e=>{let t=new y;return t.setAttribute(`position`,a),t.setAttribute(`normal`,o),t.setAttribute(`place`,new s(this.#t,4,0)),t.setAttribute(`turn`,new s(this.#t,4,4)),t.setIndex(new p(e,1)),t};this.#n=H(e,c(t.triangles),()=>c(t.edges),{look:{faces:t.open?r.open:r.closed,lines:r.lines},flat:i})}clear(){this.#r=0}add(e,t,n){let r=this.#e,i=t*7,a=this.#r*B;r[a]=e[i]??0,r[a+1]=e[i+1]??0,r[a+2]=e[i+2]??0,r[a+3]=n,r[a+4]=e[i+3]??0,r[a+5]=e[i+4]??0,r[a+6]=e[i+5]??0,r[a+7]=e[i+6]??1,this.#r+=1}finish(){for(let e of this.#n)e.visible=this.#r>0,e.geometry.instanceCount=this.#r;this.#r>0&&(this.#t.clearUpdateRanges(),this.#t.addUpdateRange(0,this.#r*B),this.#t.needsUpdate=!0)}},he=class{group=new v;#e=new v;#t=new v;#n;#r;constructor(e,t){let n=Math.max(1,Math.ceil(e*2/E));this.#n=new Float32Array(E*n*4),this.#r=new te(this.#n,E,n,l,ee),this.#r.minFilter=i,this.#r.magFilter=i;for(let e of[t.closed,t.open,t.lines])e.uniforms.poses={value:this.#r};for(let e of[this.group,this.#e,this.#t])e.matrixAutoUpdate=!1;this.group.add(this.#e,this.#t),this.setFine(!0)}add(e,t,n,r){let i=e===`fine`?this.#e:this.#t;for(let e of[!1,!0]){let a=t.filter(({shape:t})=>t.open===e);if(a.length>0){let{faces:t,edges:o}=ge(a);H(i,t,o,{look:{faces:e?n.open:n.closed,lines:n.lines},flat:r})}}}setFine(e){this.#t.visible=!e&&this.#t.children.length>0,this.#e.visible=!this.#t.visible}setPoses(e,t){let n=this.#n;for(let r=0;r<t.length;r+=1){let i=r*7,a=r*8;n.set(e.subarray(i,i+3),a),n[a+3]=t[r]??0,n.set(e.subarray(i+3,i+7),a+4)}this.#r.needsUpdate=!0}dispose(){this.#r.dispose()}};function ge(e){let t=e.reduce((e,{shape:t})=>e+t.vertices.length/3,0),n=new Float32Array(t*3),r=new Float32Array(t*3),i=new Float32Array(t),a=[],o=[],s=0;for(let{shape:t,body:c}of e){let e=t.vertices.length/3;n.set(t.vertices,s*3),r.set(t.normals,s*3),i.fill(c,s,s+e);for(let e of t.triangles)a.push(s+e);for(let e of t.edges)o.push(s+e);s+=e}let c=e=>{let t=new g;return t.setAttribute(`position`,new p(n,3)),t.setAttribute(`normal`,new p(r,3)),t.setAttribute(`body`,new p(i,1)),t.setIndex(new p(Uint32Array.from(e),1)),t};return{faces:c(a),edges:()=>c(o)}}var U=class{#e;#t;#n;#r;#i;#a;constructor(e,t){e.updateMatrixWorld();let n=e.projectionMatrix.elements;this.#e=new h().multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse).elements,this.#t=n[5],this.#n=n[11]===0?0:1,this.#r=Math.hypot(n[0],this.#n),this.#i=Math.hypot(this.#t,this.#n),this.#a=t/2}scale(e,t){let n=this.#o(3,e,t);return n>0?this.#t*this.#a/n:0}radius(e,t,n){let r=this.#o(3,e,t);if(r<=-n)return null;let i=Math.abs(this.#o(0,e,t)),a=Math.abs(this.#o(1,e,t));return i>r+n*this.#r||a>r+n*this.#i?null:r>n*this.#n?n*this.#t*this.#a/r:1/0}#o(e,t,n){let r=this.#e;return(r[e]??0)*(t[n]??0)+(r[e+4]??0)*(t[n+1]??0)+(r[e+8]??0)*(t[n+2]??0)+(r[e+12]??0)}},_e=3,ve=48,W=6e4,G=[{radius:8,triangles:7},{radius:12,triangles:9},{radius:18,triangles:20},{radius:40,triangles:60}],ye=new Set([`mesh`,`height_field`,`triangle`,`segment`,`polyline`,`compound`,`custom`,`point`,`half_space`]),be=class{group=new v;#e=!1;#t=[];#n=null;#r=K(`instances`,3);#i=K(`texture`,3);#a=new Float32Array;#o=new Uint8Array;#s=new Uint8Array;#c=!0;#l=!0;#u=!1;#d;constructor(e){this.#d=e,this.group.matrixAutoUpdate=!1}get hasCoarse(){return this.#u}setFine(e){this.#l||=this.#c!==e,this.#c=e,this.#n?.setFine(e)}setShapes(e,t,n){this.dispose(),this.#e=n===2,this.#r=K(`instances`,n),this.#i=K(`texture`,n);let r=x(t,e.body_shapes),i=x(t,e.body_kinds);this.#s=Uint8Array.from(r,(t,n)=>{let r=i[n]??0;return r&2?w.standIn:r&1?ae(e.shapes[t]?.kind??``):w.fixed}),this.#o=this.#s.slice(),this.#p(e,t,r),this.setFine(!0),this.#l=!0}setPoses(e){this.#a=e,this.#n?.setPoses(e,this.#o),this.#l=!0}setTints(e,t){t===void 0?this.#o.set(this.#s):this.#o.fill(t);for(let e of[this.#r,this.#i])de(e,t===w.pale);for(let[t,n]of e)t<this.#o.length&&(this.#o[t]=n);this.#n?.setPoses(this.#a,this.#o),this.#l=!0}setPalette(e){j(this.#r,e,this.#e),j(this.#i,e,this.#e)}prepare(e,t){let n=this.#u&&!this.#c;if(!this.#l&&!n)return;this.#l=!1;let r=n?new U(e,t):null;for(let e of this.#t)this.#f(e,r)}dispose(){this.group.traverse(e=>e.geometry?.dispose()),this.group.clear(),this.#n?.dispose(),this.#n=null,this.#t=[];for(let{closed:e,open:t,lines:n}of[this.#r,this.#i])e.dispose(),t.dispose(),n.dispose()}#f({bodies:e,radius:t,all:n,levels:r},i){let a=this.#a;for(let e of[n,...r])e.clear();for(let o of e){let e=o*7;if(e+7>a.length)continue;let s=i?i.radius(a,e,t):1/0;s!==null&&(r[xe(s)]??n).add(a,o,this.#o[o]??0)}for(let e of[n,...r])e.finish()}#p(e,t,n){let r=new Map;n.forEach((e,t)=>{let n=r.get(e);n?n.push(t):r.set(e,[t])});let i=[],a=0;for(let[n,o]of r){let r=e.shapes[n];if(r){let e={open:ye.has(r.kind),...F(b(t,r.vertices),x(t,r.triangles)),edges:x(t,r.edges).slice()};i.push({shape:e,bodies:o}),a+=e.triangles.length/3*o.length}}this.#u=this.#d&&!this.#e&&a>W;let o=i.filter(({bodies:e})=>i.length>ve&&e.length<=_e);for(let e of i)o.includes(e)||this.#t.push(this.#m(e));o.length>0&&this.#h(o.flatMap(({shape:e,bodies:t})=>t.map(t=>({shape:e,body:t}))))}#m({shape:e,bodies:t}){let n=e=>new me(this.group,e,t.length,this.#r,this.#e),r=this.#u&&!e.open?G.map(({triangles:t})=>n(V(e,M(e,t)))):[];return{bodies:t,radius:Se(e),all:n(e),levels:r}}#h(e){let t=new he(this.#s.length,this.#i);if(t.add(`fine`,e,this.#i,this.#e),this.#u){let n=Math.max(W/this.#s.length,G[0]?.triangles??0),r=e.map(({shape:e,body:t})=>({shape:e.open?e:V(e,M(e,n)),body:t}));t.add(`coarse`,r,this.#i,this.#e)}this.#n=t,this.group.add(t.group)}};function xe(e){let t=0;for(;e>(G[t]?.radius??1/0);)t+=1;return t}function K(e,t){let n=A(e);return t===2?{closed:A(e),open:A(e),lines:n}:{closed:k(e,0),open:k(e,2),lines:n}}function Se({vertices:e}){let t=0;for(let n=0;n<e.length;n+=3)t=Math.max(t,Math.hypot(e[n]??0,e[n+1]??0,e[n+2]??0));return t}var q=6,Ce=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 least;
in vec3 greatest;
void main() {
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(least, greatest, position), 1.0));
}`,we=`
precision mediump float;
uniform vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 0.75); }`;function Te(){let e=[];for(let t=0;t<8;t+=1)for(let n of[1,2,4])if((t&n)===0)for(let r of[t,t|n])e.push(r&1,r>>1&1,r>>2&1);return Float32Array.from(e)}var Ee=class{object;#e={value:null};constructor(){let e=new n({glslVersion:d,vertexShader:Ce,fragmentShader:we,uniforms:{tint:this.#e},transparent:!0,depthWrite:!1});this.object=new c(new y,e),this.object.frustumCulled=!1,this.object.matrixAutoUpdate=!1,this.object.renderOrder=2,this.object.visible=!1}get count(){return this.object.visible?this.object.geometry.instanceCount:0}setBoxes(e){this.object.geometry.dispose();let t=new f(e,q),n=new y;n.setAttribute(`position`,new p(Te(),3)),n.setAttribute(`least`,new s(t,3,0)),n.setAttribute(`greatest`,new s(t,3,3)),n.instanceCount=e.length/q,this.object.geometry=n,this.object.visible=e.length>0}setPalette(e){this.#e.value=e.boxes}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}},J=3,Y=`
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
}`,De=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 normalColour;
in vec3 position;
flat out vec3 tint;
void main() {
  tint = normalColour;
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
}`,Oe=`
precision mediump float;
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1.0); }`,X=4,ke={deep:{value:null},shallow:{value:null},near:{value:null},far:{value:null},normalColour:{value:null},margin:{value:.05},depth:{value:.5},dot:{value:J}},Z=class{geometry=new g;#e=new Float32Array;#t=null;#n=0;clear(e){this.#n=0,this.#e.length<e*X&&(this.geometry.dispose(),this.#e=new Float32Array(Math.ceil(e*1.5)*X),this.#t=new re(this.#e,X),this.#t.setUsage(m),this.geometry.setAttribute(`position`,new s(this.#t,3,0)),this.geometry.setAttribute(`gap`,new s(this.#t,1,3)))}add(e,t,n,r){let i=this.#e;i[this.#n]=e,i[this.#n+1]=t,i[this.#n+2]=n,i[this.#n+3]=r,this.#n+=X}finish(){this.geometry.setDrawRange(0,this.#n/X),this.#t&&this.#n>0&&(this.#t.clearUpdateRanges(),this.#t.addUpdateRange(0,this.#n),this.#t.needsUpdate=!0)}},Ae=class{group=new v;#e=structuredClone(ke);#t=new Z;#n=new Z;#r=new Z;#i=[Y,Y,De].map(e=>this.#d(e));#a=new c(this.#t.geometry,this.#i[0]);#o=new o(this.#n.geometry,this.#i[1]);#s=new c(this.#r.geometry,this.#i[2]);#c=new Float32Array;#l=.5;constructor(){this.group.matrixAutoUpdate=!1;for(let e of[this.#s,this.#a,this.#o])e.frustumCulled=!1,e.matrixAutoUpdate=!1,e.renderOrder=3,this.group.add(e);this.#s.visible=!1}setContacts(e){this.#c=e,this.group.visible=e.length>=13}prepare(e,t,n){this.#e.dot.value=Math.max(1,Math.round(J*n));let r=Math.floor(this.#c.length/13);this.#t.clear(r*2),this.#n.clear(r),this.#r.clear(this.#s.visible?r*2:0);let i=new U(e,t);for(let e=0;e<r;e+=1)this.#u(e*13,i);for(let e of[this.#t,this.#n,this.#r])e.finish()}setScale(e,t){this.#e.margin.value=e,this.#e.depth.value=t}show(e){this.#a.visible=e.contacts,this.#o.visible=e.contacts,this.#s.visible=e.normals,this.#l=e.normalLength}setPalette(e){let t=oe();this.#e.deep.value=t.deep,this.#e.shallow.value=t.shallow,this.#e.near.value=t.near,this.#e.far.value=t.far,this.#e.normalColour.value=e.normal}dispose(){for(let{geometry:e}of[this.#t,this.#n,this.#r])e.dispose();for(let e of this.#i)e.dispose()}#u(e,t){let n=this.#c,r=n[e+3]??0,i=n[e+4]??0,a=n[e+5]??0,o=n[e+6]??0,s=n[e+7]??0,c=n[e+8]??0,l=n[e+9]??0,u=(i+s)/2,d=(a+c)/2,f=(o+l)/2;if(this.#n.add(u,d,f,r),Math.sqrt((s-i)**2+(c-a)**2+(l-o)**2)*t.scale(n,e+4)>this.#e.dot.value&&(this.#t.add(i,a,o,r),this.#t.add(s,c,l,r)),this.#s.visible){let t=this.#l;this.#r.add(u,d,f,r),this.#r.add(u+(n[e+10]??0)*t,d+(n[e+11]??0)*t,f+(n[e+12]??0)*t,r)}}#d(e){return new n({glslVersion:d,vertexShader:e,fragmentShader:Oe,uniforms:this.#e,depthTest:!1,depthWrite:!1,transparent:!0,blending:0})}},Q=12,$=.3,je=1.5,Me=1;function Ne({pointA:e,pointB:t,normal:n},r,i){let o=e.clone().lerp(t,.5),s=a.degToRad(i.fov/2),c=Fe(e.distanceTo(t),r)/(Math.sin(s)*Math.min(1,i.aspect)),l=1/0,u=o.clone();for(let e of Pe(n)){let[t,n]=r.map(t=>Ie(t,o,e)),a=Math.max(c,1.1*t,1.1*n),s=a*(1+$*(e.angleTo(i.from)/Math.PI))*(e.y<0?je:1)+Me*(t+n);s<l&&(l=s,u.copy(o).addScaledVector(e,a))}return{eye:u,target:o}}function Pe(e){let t=Math.abs(e.y)<.9?new u(0,1,0):new u(1,0,0),n=e.clone().cross(t).normalize(),r=n.clone().cross(e);return Array.from({length:Q},(t,i)=>{let a=(i+.35)*2*Math.PI/Q;return n.clone().multiplyScalar(Math.cos(a)).addScaledVector(r,Math.sin(a)).addScaledVector(e,e.y<0?-.25:.25).normalize()})}function Fe(e,t){let[n,r]=t,[,i=0]=n.max.clone().min(r.max).sub(n.min.clone().max(r.min)).toArray().map(Math.abs).sort((e,t)=>e-t),a=Math.min(...t.map(e=>e.max.distanceTo(e.min)));return Math.max(2.5*i,1.5*e,.05*a,1e-6)}function Ie(e,t,n){let r=0,i=1/0;for(let a of[`x`,`y`,`z`]){let o=[e.min,e.max].map(e=>(e[a]-t[a])/n[a]);r=Math.max(r,Math.min(...o)),i=Math.min(i,Math.max(...o))}return r<=i?i:0}var Le=600,Re=.55,ze=class{stage;bodies;contacts=new Ae;boxes=new Ee;#e;#t;#n=new Float32Array;#r=new Float32Array;#i=new Uint32Array;#a;#o={contacts:!0,normals:!1};constructor(e){this.stage=new S(e,3),this.bodies=new be(this.stage.software),this.#e=new c(new g,new t({depthTest:!1,transparent:!0})),this.#t=new o(new g,new ie({depthTest:!1,transparent:!0,size:9,sizeAttenuation:!1}));for(let e of[this.#e,this.#t])e.frustumCulled=!1,e.renderOrder=5,e.visible=!1;this.stage.scene.add(this.bodies.group,this.boxes.object,this.contacts.group,this.#e,this.#t),this.stage.onMotion.push(()=>this.#s()),this.stage.onDraw=()=>{let{camera:e,canvas:t}=this.stage;this.bodies.prepare(e,t.height),this.contacts.prepare(e,t.height,t.height/Math.max(t.clientHeight,1))},this.stage.onTheme=()=>this.#l(),this.#l()}begin(e,t,n){this.stage.setBounds(t),this.stage.setDimension(e),this.contacts.setScale(n,this.depthOfScale(n)),this.boxes.setBoxes(new Float32Array),this.mark(null)}depthOfScale(e){return Math.max(e*4,.001)}setShapes(e,t){this.bodies.setShapes(e,t,this.stage.dimension),this.#c(),this.#l()}setFrame(e,t){this.#n=b(t,e.poses),this.#r=b(t,e.contacts),this.#i=new Uint32Array(this.#r.buffer,this.#r.byteOffset,this.#r.length),this.bodies.setPoses(this.#n),this.contacts.setContacts(this.#r),this.#s(),this.stage.invalidate()}show(e){this.#o=e,this.contacts.show({...e,normalLength:this.stage.extent()/60}),this.stage.invalidate()}setBoxes(e){this.boxes.setBoxes(e),this.boxes.setPalette(C()),this.stage.invalidate()}highlight(e,t=[]){this.bodies.setTints([...t.map(e=>[e,w.differs]),...e.map(e=>[e,w.selected])]),this.stage.invalidate()}highlightPair(e,t){this.bodies.setTints([[e,w.selected],[t,w.differs]],w.pale),this.stage.invalidate()}face(e,t){let{camera:n,canvas:i,controls:a}=this.stage;if(n instanceof r){let r=({min:e,max:t})=>new _(new u(...e),new u(...t));this.stage.fly(Ne(e,[r(t[0]),r(t[1])],{fov:n.fov,aspect:i.clientWidth/Math.max(i.clientHeight,1),from:n.position.clone().sub(a.target)}))}}mark(e){for(let t of[this.#e,this.#t])t.visible=e!==null;if(e){let{pointA:t,pointB:n,normal:r}=e,i=n.clone().addScaledVector(r,this.stage.extent()/40);this.#e.geometry.setFromPoints([t,n,n,i]);let a=Float32Array.of(...t.toArray(),...n.toArray());this.#t.geometry.setAttribute(`position`,new p(a,3))}this.stage.invalidate()}fitBodies(){let e=new u(1/0,1/0,1/0),t=new u(-1/0,-1/0,-1/0);for(let n=0;n*7<this.#n.length;n+=1){let r=this.positionOf(n);e.min(r),t.max(r)}let n=t.distanceTo(e)*.05+1,r={min:[e.x-n,e.y-n,e.z-n],max:[t.x+n,t.y+n,t.z+n]};this.stage.setBounds(this.#n.length>0?r:null),this.stage.fit()}positionOf(e){return new u().fromArray(this.#n,e*7)}beside(e,t,n){let r=this.stage.extent()/100,i=this.stage.camera,a=new u().setFromMatrixColumn(i.matrixWorld,0).multiplyScalar(t*r),o=new u().setFromMatrixColumn(i.matrixWorld,1).multiplyScalar(n*r);return this.positionOf(e).add(a).add(o).toArray()}contact(e){let t=e*13;return t+13>this.#r.length?null:{number:e,a:this.#i[t]??0,b:this.#i[t+1]??0,distance:this.#r[t+3]??0,pointA:new u().fromArray(this.#r,t+4),pointB:new u().fromArray(this.#r,t+7),normal:new u().fromArray(this.#r,t+10)}}contactOf(e,t){for(let n=0;n<this.#i.length;n+=13)if(this.#i[n]===e&&this.#i[n+1]===t)return this.contact(n/13);return null}contactAt(e,t,n){if(!this.#o.contacts&&!this.#o.normals)return null;let r=this.stage.canvas.getBoundingClientRect(),i=null,a=n;for(let n=0;n<this.#i.length/13;n+=1){let o=this.contact(n),s=o?.pointA.clone().lerp(o.pointB,.5),c=s?this.stage.place(s):null;if(o&&c){let n=Math.hypot(c.x+r.left-e,c.y+r.top-t);n<a&&(a=n,i=o)}}return i}get contactNumbers(){return this.#r}dispose(){clearTimeout(this.#a),this.bodies.dispose(),this.contacts.dispose(),this.boxes.dispose(),this.stage.dispose()}#s(){this.bodies.hasCoarse&&(this.bodies.setFine(!1),this.stage.setDetail(Re),clearTimeout(this.#a),this.#a=setTimeout(()=>this.#c(),Le))}#c(){clearTimeout(this.#a),this.bodies.setFine(!0),this.stage.setDetail(1)}#l(){let e=C();this.bodies.setPalette(e),this.contacts.setPalette(e),this.boxes.setPalette(e);let t=e.bodies[w.selected];t&&(this.#e.material.color=t,this.#t.material.color=t)}};export{ze as t};