import{B as e,C as t,I as n,J as r,L as i,O as a,S as o,T as s,_ as c,b as l,c as u,g as d,h as f,j as p,l as m,p as h,r as g,v as _,x as v,y,z as b}from"./three.js";import{n as x,r as S}from"./client.js";import{a as C,i as w,n as T,o as E,r as D}from"./panes.js";function O(e,t){if(e.triangles.length/3<=t*1.5)return e;let n=new Set,i=Math.max(Math.ceil(t/2)+2,6);for(let t=0;t<i;t+=1)n.add(A(e.vertices,k(t,i)));let a=[...n].map(t=>new r().fromArray(e.vertices,t*3));if(a.length<4)return e;let o=new Map(a.map((e,t)=>[e,t])),s=[];for(let e of new g().setFromPoints(a).faces){let t=e.edge;for(let e=t.next;e.next!==t;e=e.next)s.push(...[t,e,e.next].map(e=>o.get(e.head().point)??0))}return{vertices:Float32Array.from(a.flatMap(e=>e.toArray())),triangles:Uint32Array.from(s)}}function k(e,t){let n=1-2*(e+.5)/t,i=e*Math.PI*(3-Math.sqrt(5)),a=Math.sqrt(1-n*n);return new r(a*Math.cos(i),n,a*Math.sin(i))}function A(e,t){let n=0,r=-1/0;for(let i=0;i*3<e.length;i+=1){let a=e[i*3]??0,o=e[i*3+1]??0,s=e[i*3+2]??0,c=a*t.x+o*t.y+s*t.z;c>r&&(r=c,n=i)}return n}var j=1024,M=11,N=3,P=48,F=9e4,I=`
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform highp sampler2D poses;
uniform vec3 palette[${M}];
in vec3 position;
in float body;
out vec3 seen;
flat out vec3 tint;
void main() {
  int texel = int(body) * 2;
  ivec2 place = ivec2(texel % ${j}, texel / ${j});
  vec4 translation = texelFetch(poses, place, 0);
  vec4 rotation = texelFetch(poses, place + ivec2(1, 0), 0);
  vec3 turned = position
    + 2.0 * cross(rotation.xyz, cross(rotation.xyz, position) + rotation.w * position);
  vec4 view = viewMatrix * vec4(turned + translation.xyz, 1.0);
  seen = view.xyz;
  tint = palette[int(translation.w)];
  gl_Position = projectionMatrix * view;
}`,L=`
precision highp float;
in vec3 seen;
flat in vec3 tint;
out vec4 colour;
void main() {
  vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
  float light = 0.62 + 0.3 * normal.z + 0.16 * normal.y - 0.08 * normal.x;
  colour = vec4(tint * light, 1.0);
}`,R=`
precision highp float;
in vec3 seen;
flat in vec3 tint;
uniform float opacity;
out vec4 colour;
void main() { colour = vec4(tint, opacity); }`,z=new Set([`mesh`,`height_field`,`triangle`,`segment`,`polyline`,`compound`,`custom`,`point`,`half_space`]);function B(t,n,r=2){return new e({glslVersion:c,vertexShader:I,fragmentShader:t,uniforms:{poses:{value:null},palette:{value:[]},opacity:{value:.55}},side:r,transparent:n,depthTest:!n,depthWrite:!n})}var V=class{group=new _;#e=new _;#t=new _;#n=3;#r=B(L,!1,0);#i=B(L,!1);#a=B(R,!0);#o=null;#s=new Float32Array;#c=new Uint8Array;#l=new Uint8Array;#u=0;#d;constructor(e){this.#d=e;for(let e of[this.group,this.#e,this.#t])e.matrixAutoUpdate=!1;this.group.add(this.#e,this.#t)}get hasCoarse(){return this.#t.children.length>0}setFine(e){this.#e.visible=e||!this.hasCoarse,this.#t.visible=!this.#e.visible}setShapes(e,t,n){this.#y(),this.#n=n;let r=S(t,e.body_shapes),i=S(t,e.body_kinds);this.#u=r.length,this.#f(),this.#p(),this.#l=Uint8Array.from(r,(t,n)=>{let r=i[n]??0;return r&2?D.standIn:r&1?C(e.shapes[t]?.kind??``):D.fixed}),this.#c=this.#l.slice(),this.#m(e,t,r)}setPoses(e){let t=this.#s,n=Math.min(this.#u,Math.floor(e.length/7));for(let r=0;r<n;r+=1){let n=r*7,i=r*8;t[i]=e[n]??0,t[i+1]=e[n+1]??0,t[i+2]=e[n+2]??0,t[i+3]=this.#c[r]??0,t[i+4]=e[n+3]??0,t[i+5]=e[n+4]??0,t[i+6]=e[n+5]??0,t[i+7]=e[n+6]??1}this.#o&&(this.#o.needsUpdate=!0)}setTints(e){this.#c.set(this.#l);for(let[t,n]of e)t<this.#c.length&&(this.#c[t]=n);for(let e=0;e<this.#u;e+=1)this.#s[e*8+3]=this.#c[e]??0;this.#o&&(this.#o.needsUpdate=!0)}setPalette(e){for(let t of[this.#r,this.#i])t.uniforms.palette={value:e.bodies};let t=this.#n===2?e.bodies.map(()=>e.edges):e.bodies;this.#a.uniforms.palette={value:t}}dispose(){this.#y(),this.#r.dispose(),this.#i.dispose(),this.#a.dispose()}#f(){this.#r.dispose(),this.#i.dispose();let e=this.#n===3;this.#r=e?B(L,!1,0):B(R,!0),this.#i=e?B(L,!1):this.#r}#p(){let e=Math.max(1,Math.ceil(this.#u*2/j));this.#s=new Float32Array(j*e*4),this.#o=new h(this.#s,j,e,b,d),this.#o.minFilter=p,this.#o.magFilter=p;for(let e of[this.#r,this.#i,this.#a])e.uniforms.poses={value:this.#o}}#m(e,t,n){let r=new Map;n.forEach((e,t)=>{let n=r.get(e);n?n.push(t):r.set(e,[t])});let i=new Map,a=0;for(let[n,o]of r){let r=e.shapes[n];if(r){let e={open:z.has(r.kind),vertices:x(t,r.vertices).slice(),triangles:S(t,r.triangles).slice(),edges:S(t,r.edges).slice()};i.set(n,e),a+=e.triangles.length/3*o.length}}if(this.#h(this.#e,r,i),this.#d&&this.#n===3&&a>F){let e=F/this.#u,t=new Map;for(let[n,r]of i)t.set(n,r.open?r:{...r,...O(r,e)});this.#h(this.#t,r,t)}this.setFine(!0)}#h(e,t,n){let r=[];for(let[i,a]of t){let o=n.get(i);o&&(a.length<=N&&t.size>P?r.push(...a.map(e=>({part:o,body:e}))):this.#g(e,o,a))}r.length>0&&this.#_(e,r)}#g(e,t,n){let r=new u(t.vertices,3),i=new y(Float32Array.from(n),1),a=e=>{let t=new l;return t.setAttribute(`position`,r),t.setAttribute(`body`,i),t.setIndex(new u(e,1)),t.instanceCount=n.length,t};this.#v(e,a(t.triangles),a(t.edges),t.open?this.#i:this.#r)}#_(e,t){let n=t.reduce((e,{part:t})=>e+t.vertices.length/3,0),r=new Float32Array(n*3),i=new Float32Array(n),a=[],o=[],s=0;for(let{part:e,body:n}of t){let t=e.vertices.length/3;r.set(e.vertices,s*3),i.fill(n,s,s+t);for(let t of e.triangles)a.push(s+t);for(let t of e.edges)o.push(s+t);s+=t}let c=e=>{let t=new m;return t.setAttribute(`position`,new u(r,3)),t.setAttribute(`body`,new u(i,1)),t.setIndex(new u(Uint32Array.from(e),1)),t};this.#v(e,c(a),c(o),this.#i)}#v(e,t,n,r){let i=(t,n)=>{t.frustumCulled=!1,t.matrixAutoUpdate=!1,t.renderOrder=n,e.add(t)};(t.index?.count??0)>0&&i(new a(t,r),0),(this.#n===2||(t.index?.count??0)===0)&&i(new s(n,this.#a),1)}#y(){for(let e of[this.#e,this.#t]){for(let t of e.children)t.geometry.dispose();e.clear()}this.#o?.dispose(),this.#o=null}},H=6,U=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 least;
in vec3 greatest;
void main() {
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(least, greatest, position), 1.0));
}`,W=`
precision mediump float;
uniform vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 0.75); }`;function G(){let e=[];for(let t=0;t<8;t+=1)for(let n of[1,2,4])if((t&n)===0)for(let r of[t,t|n])e.push(r&1,r>>1&1,r>>2&1);return Float32Array.from(e)}var K=class{object;#e={value:null};constructor(){let t=new e({glslVersion:c,vertexShader:U,fragmentShader:W,uniforms:{tint:this.#e},transparent:!0,depthWrite:!1});this.object=new s(new l,t),this.object.frustumCulled=!1,this.object.matrixAutoUpdate=!1,this.object.renderOrder=2,this.object.visible=!1}get count(){return this.object.visible?this.object.geometry.instanceCount:0}setBoxes(e){this.object.geometry.dispose();let t=new v(e,H),n=new l;n.setAttribute(`position`,new u(G(),3)),n.setAttribute(`least`,new o(t,3,0)),n.setAttribute(`greatest`,new o(t,3,3)),n.instanceCount=e.length/H,this.object.geometry=n,this.object.visible=e.length>0}setPalette(e){this.#e.value=e.boxes}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}},q=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 deep;
uniform vec3 shallow;
uniform vec3 near;
uniform vec3 far;
uniform vec3 normalColour;
uniform float margin;
uniform float depth;
uniform float normalLength;
in vec3 position;
in float distance_;
in vec3 pointA;
in vec3 pointB;
in vec3 normal;
flat out vec3 tint;
vec3 colourOf(float gap) {
  return gap < 0.0
    ? mix(shallow, deep, min(1.0, -gap / depth))
    : mix(near, far, min(1.0, gap / max(margin, 1e-12)));
}`,J=`${q}
void main() {
  tint = colourOf(distance_);
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(pointA, pointB, position.x), 1.0));
}`,Y=`${q}
void main() {
  tint = colourOf(distance_);
  gl_Position = projectionMatrix * (viewMatrix * vec4(0.5 * (pointA + pointB), 1.0));
  gl_PointSize = 3.0;
}`,X=`${q}
void main() {
  tint = normalColour;
  vec3 start = 0.5 * (pointA + pointB);
  gl_Position = projectionMatrix * (viewMatrix * vec4(start + normal * normalLength * position.x, 1.0));
}`,Z=`
precision mediump float;
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1.0); }`,Q={deep:{value:null},shallow:{value:null},near:{value:null},far:{value:null},normalColour:{value:null},margin:{value:.05},depth:{value:.5},normalLength:{value:.5}},$=class{group=new _;#e=structuredClone(Q);#t;#n;#r;#i=null;#a=[];#o=0;constructor(){this.group.matrixAutoUpdate=!1,this.#t=new s(new l,this.#s(J)),this.#n=new n(new l,this.#s(Y)),this.#r=new s(new l,this.#s(X));for(let e of[this.#r,this.#t,this.#n])e.frustumCulled=!1,e.matrixAutoUpdate=!1,e.renderOrder=3,this.group.add(e);this.#r.visible=!1,this.#c(1024)}setContacts(e){this.#o=Math.floor(e.length/13),(!this.#i||this.#i.array.length<e.length)&&this.#c(Math.ceil(this.#o*1.5));let t=this.#i;t&&(t.array.set(e),t.clearUpdateRanges(),t.addUpdateRange(0,e.length),t.needsUpdate=!0);for(let e of this.#a)e.instanceCount=this.#o;this.group.visible=this.#o>0}setScale(e,t){this.#e.margin.value=e,this.#e.depth.value=t}show(e){this.#t.visible=e.contacts,this.#n.visible=e.contacts,this.#r.visible=e.normals,this.#e.normalLength.value=e.normalLength}setPalette(e){let t=w();this.#e.deep.value=t.deep,this.#e.shallow.value=t.shallow,this.#e.near.value=t.near,this.#e.far.value=t.far,this.#e.normalColour.value=e.normal}dispose(){for(let e of this.#a)e.dispose();for(let e of[this.#t,this.#n,this.#r])e.material.dispose()}#s(t){return new e({glslVersion:c,vertexShader:t,fragmentShader:Z,uniforms:this.#e,depthTest:!1,depthWrite:!1,transparent:!0})}#c(e){for(let e of this.#a)e.dispose();let t=new Float32Array(Math.max(e,1)*13),n=new v(t,13);n.setUsage(f),this.#i=n;let r=new u(Float32Array.of(0,0,0,1,0,0),3),i=new u(Float32Array.of(0,0,0),3),a=e=>{let t=new l;return t.setAttribute(`position`,e),t.setAttribute(`distance_`,new o(n,1,3)),t.setAttribute(`pointA`,new o(n,3,4)),t.setAttribute(`pointB`,new o(n,3,7)),t.setAttribute(`normal`,new o(n,3,10)),t.instanceCount=this.#o,t};this.#t.geometry=a(r),this.#r.geometry=a(r),this.#n.geometry=a(i),this.#a=[this.#t.geometry,this.#r.geometry,this.#n.geometry]}},ee=600,te=.75,ne=class{stage;bodies;contacts=new $;boxes=new K;#e;#t;#n=new Float32Array;#r=new Float32Array;#i=new Uint32Array;#a;#o={contacts:!0,normals:!1};constructor(e){this.stage=new T(e,3),this.bodies=new V(this.stage.software),this.#e=new s(new m,new t({depthTest:!1,transparent:!0})),this.#t=new n(new m,new i({depthTest:!1,transparent:!0,size:9,sizeAttenuation:!1}));for(let e of[this.#e,this.#t])e.frustumCulled=!1,e.renderOrder=5,e.visible=!1;this.stage.scene.add(this.bodies.group,this.boxes.object,this.contacts.group,this.#e,this.#t),this.stage.onMotion.push(()=>this.#s()),this.stage.onTheme=()=>this.#l(),this.#l()}begin(e,t,n){this.stage.setBounds(t),this.stage.setDimension(e),this.contacts.setScale(n,this.depthOfScale(n)),this.boxes.setBoxes(new Float32Array),this.mark(null)}depthOfScale(e){return Math.max(e*4,.001)}setShapes(e,t){this.bodies.setShapes(e,t,this.stage.dimension),this.#c(),this.#l()}setFrame(e,t){this.#n=x(t,e.poses),this.#r=x(t,e.contacts),this.#i=new Uint32Array(this.#r.buffer,this.#r.byteOffset,this.#r.length),this.bodies.setPoses(this.#n),this.contacts.setContacts(this.#r),this.#s(),this.stage.invalidate()}show(e){this.#o=e,this.contacts.show({...e,normalLength:this.stage.extent()/60}),this.stage.invalidate()}setBoxes(e){this.boxes.setBoxes(e),this.boxes.setPalette(E()),this.stage.invalidate()}highlight(e,t=[]){this.bodies.setTints([...t.map(e=>[e,D.differs]),...e.map(e=>[e,D.selected])]),this.stage.invalidate()}mark(e){for(let t of[this.#e,this.#t])t.visible=e!==null;if(e){let{pointA:t,pointB:n,normal:r}=e,i=n.clone().addScaledVector(r,this.stage.extent()/40);this.#e.geometry.setFromPoints([t,n,n,i]);let a=Float32Array.of(...t.toArray(),...n.toArray());this.#t.geometry.setAttribute(`position`,new u(a,3))}this.stage.invalidate()}fitBodies(){let e=new r(1/0,1/0,1/0),t=new r(-1/0,-1/0,-1/0);for(let n=0;n*7<this.#n.length;n+=1){let r=this.positionOf(n);e.min(r),t.max(r)}let n=t.distanceTo(e)*.05+1,i={min:[e.x-n,e.y-n,e.z-n],max:[t.x+n,t.y+n,t.z+n]};this.stage.setBounds(this.#n.length>0?i:null),this.stage.fit()}positionOf(e){return new r().fromArray(this.#n,e*7)}beside(e,t,n){let i=this.stage.extent()/100,a=this.stage.camera,o=new r().setFromMatrixColumn(a.matrixWorld,0).multiplyScalar(t*i),s=new r().setFromMatrixColumn(a.matrixWorld,1).multiplyScalar(n*i);return this.positionOf(e).add(o).add(s).toArray()}contact(e){let t=e*13;return t+13>this.#r.length?null:{number:e,a:this.#i[t]??0,b:this.#i[t+1]??0,distance:this.#r[t+3]??0,pointA:new r().fromArray(this.#r,t+4),pointB:new r().fromArray(this.#r,t+7),normal:new r().fromArray(this.#r,t+10)}}contactOf(e,t){for(let n=0;n<this.#i.length;n+=13)if(this.#i[n]===e&&this.#i[n+1]===t)return this.contact(n/13);return null}contactAt(e,t,n){if(!this.#o.contacts&&!this.#o.normals)return null;let r=this.stage.canvas.getBoundingClientRect(),i=null,a=n;for(let n=0;n<this.#i.length/13;n+=1){let o=this.contact(n),s=o?.pointA.clone().lerp(o.pointB,.5),c=s?this.stage.place(s):null;if(o&&c){let n=Math.hypot(c.x+r.left-e,c.y+r.top-t);n<a&&(a=n,i=o)}}return i}get contactNumbers(){return this.#r}dispose(){clearTimeout(this.#a),this.bodies.dispose(),this.contacts.dispose(),this.boxes.dispose(),this.stage.dispose()}#s(){this.bodies.hasCoarse&&(this.bodies.setFine(!1),this.stage.setDetail(te),clearTimeout(this.#a),this.#a=setTimeout(()=>this.#c(),ee))}#c(){clearTimeout(this.#a),this.bodies.setFine(!0),this.stage.setDetail(1)}#l(){let e=E();this.bodies.setPalette(e),this.contacts.setPalette(e),this.boxes.setPalette(e);let t=e.bodies[D.selected];t&&(this.#e.material.color=t,this.#t.material.color=t)}};export{ne as t};