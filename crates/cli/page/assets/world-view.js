import{B as e,C as t,I as n,J as r,L as i,O as a,S as o,T as s,_ as c,b as l,c as u,g as d,h as f,j as p,l as m,p as h,r as g,v as _,x as v,y,z as b}from"./three.js";import{n as x,r as S}from"./client.js";import{a as C,i as w,n as T,o as E,r as D}from"./panes.js";var O=16,k=36;function A(e){if(e.triangles.length/3<=k)return e;let t=new Set;for(let n=0;n<O;n+=1)t.add(M(e.vertices,j(n)));let n=[...t].map(t=>new r().fromArray(e.vertices,t*3));if(n.length<4)return e;let i=new Map(n.map((e,t)=>[e,t])),a=[];for(let e of new g().setFromPoints(n).faces){let t=e.edge;for(let e=t.next;e.next!==t;e=e.next)a.push(...[t,e,e.next].map(e=>i.get(e.head().point)??0))}return{vertices:Float32Array.from(n.flatMap(e=>e.toArray())),triangles:Uint32Array.from(a)}}function j(e){let t=1-2*(e+.5)/O,n=e*Math.PI*(3-Math.sqrt(5)),i=Math.sqrt(1-t*t);return new r(i*Math.cos(n),t,i*Math.sin(n))}function M(e,t){let n=0,r=-1/0;for(let i=0;i*3<e.length;i+=1){let a=e[i*3]??0,o=e[i*3+1]??0,s=e[i*3+2]??0,c=a*t.x+o*t.y+s*t.z;c>r&&(r=c,n=i)}return n}var N=1024,P=11,F=3,I=48,L=4e5,R=`
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform highp sampler2D poses;
uniform vec3 palette[${P}];
in vec3 position;
in float body;
out vec3 seen;
flat out vec3 tint;
void main() {
  int texel = int(body) * 2;
  ivec2 place = ivec2(texel % ${N}, texel / ${N});
  vec4 translation = texelFetch(poses, place, 0);
  vec4 rotation = texelFetch(poses, place + ivec2(1, 0), 0);
  vec3 turned = position
    + 2.0 * cross(rotation.xyz, cross(rotation.xyz, position) + rotation.w * position);
  vec4 view = viewMatrix * vec4(turned + translation.xyz, 1.0);
  seen = view.xyz;
  tint = palette[int(translation.w)];
  gl_Position = projectionMatrix * view;
}`,z=`
precision highp float;
in vec3 seen;
flat in vec3 tint;
out vec4 colour;
void main() {
  vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
  float light = 0.62 + 0.3 * normal.z + 0.16 * normal.y - 0.08 * normal.x;
  colour = vec4(tint * light, 1.0);
}`,B=`
precision highp float;
in vec3 seen;
flat in vec3 tint;
uniform float opacity;
out vec4 colour;
void main() { colour = vec4(tint, opacity); }`,V=new Set([`mesh`,`height_field`,`triangle`,`segment`,`polyline`,`compound`,`custom`,`point`,`half_space`]);function H(t,n,r=2){return new e({glslVersion:c,vertexShader:R,fragmentShader:t,uniforms:{poses:{value:null},palette:{value:[]},opacity:{value:.55}},side:r,transparent:n,depthTest:!n,depthWrite:!n})}var U=class{group=new _;#e=3;#t=H(z,!1,0);#n=H(z,!1);#r=H(B,!0);#i=null;#a=new Float32Array;#o=new Uint8Array;#s=new Uint8Array;#c=0;#l;constructor(e){this.#l=e,this.group.matrixAutoUpdate=!1}setShapes(e,t,n){this.#g(),this.#e=n;let r=S(t,e.body_shapes),i=S(t,e.body_kinds);this.#c=r.length,this.#u(),this.#d(),this.#s=Uint8Array.from(r,(t,n)=>{let r=i[n]??0;return r&2?D.standIn:r&1?C(e.shapes[t]?.kind??``):D.fixed}),this.#o=this.#s.slice(),this.#f(e,t,r)}setPoses(e){let t=this.#a,n=Math.min(this.#c,Math.floor(e.length/7));for(let r=0;r<n;r+=1){let n=r*7,i=r*8;t[i]=e[n]??0,t[i+1]=e[n+1]??0,t[i+2]=e[n+2]??0,t[i+3]=this.#o[r]??0,t[i+4]=e[n+3]??0,t[i+5]=e[n+4]??0,t[i+6]=e[n+5]??0,t[i+7]=e[n+6]??1}this.#i&&(this.#i.needsUpdate=!0)}setTints(e){this.#o.set(this.#s);for(let[t,n]of e)t<this.#o.length&&(this.#o[t]=n);for(let e=0;e<this.#c;e+=1)this.#a[e*8+3]=this.#o[e]??0;this.#i&&(this.#i.needsUpdate=!0)}setPalette(e){for(let t of[this.#t,this.#n])t.uniforms.palette={value:e.bodies};let t=this.#e===2?e.bodies.map(()=>e.edges):e.bodies;this.#r.uniforms.palette={value:t}}dispose(){this.#g(),this.#t.dispose(),this.#n.dispose(),this.#r.dispose()}#u(){this.#t.dispose(),this.#n.dispose();let e=this.#e===3;this.#t=e?H(z,!1,0):H(B,!0),this.#n=e?H(z,!1):this.#t}#d(){let e=Math.max(1,Math.ceil(this.#c*2/N));this.#a=new Float32Array(N*e*4),this.#i=new h(this.#a,N,e,b,d),this.#i.minFilter=p,this.#i.magFilter=p;for(let e of[this.#t,this.#n,this.#r])e.uniforms.poses={value:this.#i}}#f(e,t,n){let r=new Map;n.forEach((e,t)=>{let n=r.get(e);n?n.push(t):r.set(e,[t])});let i=new Map,a=0;for(let[n,o]of r){let r=e.shapes[n];if(r){let e={open:V.has(r.kind),vertices:x(t,r.vertices).slice(),triangles:S(t,r.triangles).slice(),edges:S(t,r.edges).slice()};i.set(n,e),a+=e.triangles.length/3*o.length}}let o=this.#l&&this.#e===3&&a>L,s=[];for(let[e,t]of r){let n=i.get(e);if(!n)continue;let a=o&&!n.open?{...n,...A(n)}:n;t.length<=F&&r.size>I?s.push(...t.map(e=>({part:a,body:e}))):this.#p(a,t)}s.length>0&&this.#m(s)}#p(e,t){let n=new u(e.vertices,3),r=new y(Float32Array.from(t),1),i=e=>{let i=new l;return i.setAttribute(`position`,n),i.setAttribute(`body`,r),i.setIndex(new u(e,1)),i.instanceCount=t.length,i};this.#h(i(e.triangles),i(e.edges),e.open?this.#n:this.#t)}#m(e){let t=e.reduce((e,{part:t})=>e+t.vertices.length/3,0),n=new Float32Array(t*3),r=new Float32Array(t),i=[],a=[],o=0;for(let{part:t,body:s}of e){let e=t.vertices.length/3;n.set(t.vertices,o*3),r.fill(s,o,o+e);for(let e of t.triangles)i.push(o+e);for(let e of t.edges)a.push(o+e);o+=e}let s=e=>{let t=new m;return t.setAttribute(`position`,new u(n,3)),t.setAttribute(`body`,new u(r,1)),t.setIndex(new u(Uint32Array.from(e),1)),t};this.#h(s(i),s(a),this.#n)}#h(e,t,n){let r=(e,t)=>{e.frustumCulled=!1,e.matrixAutoUpdate=!1,e.renderOrder=t,this.group.add(e)};(e.index?.count??0)>0&&r(new a(e,n),0),(this.#e===2||(e.index?.count??0)===0)&&r(new s(t,this.#r),1)}#g(){for(let e of[...this.group.children])e.geometry.dispose(),this.group.remove(e);this.#i?.dispose(),this.#i=null}},W=6,G=`
precision highp float;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
in vec3 least;
in vec3 greatest;
void main() {
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(least, greatest, position), 1.0));
}`,K=`
precision mediump float;
uniform vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 0.75); }`;function q(){let e=[];for(let t=0;t<8;t+=1)for(let n of[1,2,4])if((t&n)===0)for(let r of[t,t|n])e.push(r&1,r>>1&1,r>>2&1);return Float32Array.from(e)}var J=class{object;#e={value:null};constructor(){let t=new e({glslVersion:c,vertexShader:G,fragmentShader:K,uniforms:{tint:this.#e},transparent:!0,depthWrite:!1});this.object=new s(new l,t),this.object.frustumCulled=!1,this.object.matrixAutoUpdate=!1,this.object.renderOrder=2,this.object.visible=!1}setBoxes(e){this.object.geometry.dispose();let t=new v(e,W),n=new l;n.setAttribute(`position`,new u(q(),3)),n.setAttribute(`least`,new o(t,3,0)),n.setAttribute(`greatest`,new o(t,3,3)),n.instanceCount=e.length/W,this.object.geometry=n,this.object.visible=e.length>0}setPalette(e){this.#e.value=e.boxes}dispose(){this.object.geometry.dispose(),this.object.material.dispose()}},Y=`
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
}`,X=`${Y}
void main() {
  tint = colourOf(distance_);
  gl_Position = projectionMatrix * (viewMatrix * vec4(mix(pointA, pointB, position.x), 1.0));
}`,Z=`${Y}
void main() {
  tint = colourOf(distance_);
  gl_Position = projectionMatrix * (viewMatrix * vec4(0.5 * (pointA + pointB), 1.0));
  gl_PointSize = 3.0;
}`,Q=`${Y}
void main() {
  tint = normalColour;
  vec3 start = 0.5 * (pointA + pointB);
  gl_Position = projectionMatrix * (viewMatrix * vec4(start + normal * normalLength * position.x, 1.0));
}`,$=`
precision mediump float;
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1.0); }`,ee={deep:{value:null},shallow:{value:null},near:{value:null},far:{value:null},normalColour:{value:null},margin:{value:.05},depth:{value:.5},normalLength:{value:.5}},te=class{group=new _;#e=structuredClone(ee);#t;#n;#r;#i=null;#a=[];#o=0;constructor(){this.group.matrixAutoUpdate=!1,this.#t=new s(new l,this.#s(X)),this.#n=new n(new l,this.#s(Z)),this.#r=new s(new l,this.#s(Q));for(let e of[this.#r,this.#t,this.#n])e.frustumCulled=!1,e.matrixAutoUpdate=!1,e.renderOrder=3,this.group.add(e);this.#r.visible=!1,this.#c(1024)}setContacts(e){this.#o=Math.floor(e.length/13),(!this.#i||this.#i.array.length<e.length)&&this.#c(Math.ceil(this.#o*1.5));let t=this.#i;t&&(t.array.set(e),t.clearUpdateRanges(),t.addUpdateRange(0,e.length),t.needsUpdate=!0);for(let e of this.#a)e.instanceCount=this.#o;this.group.visible=this.#o>0}setScale(e,t){this.#e.margin.value=e,this.#e.depth.value=t}show(e){this.#t.visible=e.contacts,this.#n.visible=e.contacts,this.#r.visible=e.normals,this.#e.normalLength.value=e.normalLength}setPalette(e){let t=w();this.#e.deep.value=t.deep,this.#e.shallow.value=t.shallow,this.#e.near.value=t.near,this.#e.far.value=t.far,this.#e.normalColour.value=e.normal}dispose(){for(let e of this.#a)e.dispose();for(let e of[this.#t,this.#n,this.#r])e.material.dispose()}#s(t){return new e({glslVersion:c,vertexShader:t,fragmentShader:$,uniforms:this.#e,depthTest:!1,depthWrite:!1,transparent:!0})}#c(e){for(let e of this.#a)e.dispose();let t=new Float32Array(Math.max(e,1)*13),n=new v(t,13);n.setUsage(f),this.#i=n;let r=new u(Float32Array.of(0,0,0,1,0,0),3),i=new u(Float32Array.of(0,0,0),3),a=e=>{let t=new l;return t.setAttribute(`position`,e),t.setAttribute(`distance_`,new o(n,1,3)),t.setAttribute(`pointA`,new o(n,3,4)),t.setAttribute(`pointB`,new o(n,3,7)),t.setAttribute(`normal`,new o(n,3,10)),t.instanceCount=this.#o,t};this.#t.geometry=a(r),this.#r.geometry=a(r),this.#n.geometry=a(i),this.#a=[this.#t.geometry,this.#r.geometry,this.#n.geometry]}},ne=2e3,re=class{stage;bodies;contacts=new te;boxes=new J;#e;#t;#n=new Float32Array;#r=new Float32Array;#i=new Uint32Array;#a={contacts:!0,normals:!1};constructor(e){this.stage=new T(e,3),this.bodies=new U(this.stage.software),this.#e=new s(new m,new t({depthTest:!1,transparent:!0})),this.#t=new n(new m,new i({depthTest:!1,transparent:!0,size:9,sizeAttenuation:!1}));for(let e of[this.#e,this.#t])e.frustumCulled=!1,e.renderOrder=5,e.visible=!1;this.stage.scene.add(this.bodies.group,this.boxes.object,this.contacts.group,this.#e,this.#t),this.stage.onTheme=()=>this.#o(),this.#o()}begin(e,t,n){this.stage.setBounds(t),this.stage.setDimension(e),this.contacts.setScale(n,this.depthOfScale(n)),this.boxes.setBoxes(new Float32Array),this.mark(null)}depthOfScale(e){return Math.max(e*4,.001)}setShapes(e,t){this.bodies.setShapes(e,t,this.stage.dimension);let n=e.body_shapes[1];this.stage.setDetail(this.stage.software&&n>ne?.75:1),this.#o()}setFrame(e,t){this.#n=x(t,e.poses),this.#r=x(t,e.contacts),this.#i=new Uint32Array(this.#r.buffer,this.#r.byteOffset,this.#r.length),this.bodies.setPoses(this.#n),this.contacts.setContacts(this.#r),this.stage.invalidate()}show(e){this.#a=e,this.contacts.show({...e,normalLength:this.stage.extent()/60}),this.stage.invalidate()}setBoxes(e){this.boxes.setBoxes(e),this.boxes.setPalette(E()),this.stage.invalidate()}highlight(e,t=[]){this.bodies.setTints([...t.map(e=>[e,D.differs]),...e.map(e=>[e,D.selected])]),this.stage.invalidate()}mark(e){for(let t of[this.#e,this.#t])t.visible=e!==null;if(e){let{pointA:t,pointB:n,normal:r}=e,i=n.clone().addScaledVector(r,this.stage.extent()/40);this.#e.geometry.setFromPoints([t,n,n,i]);let a=Float32Array.of(...t.toArray(),...n.toArray());this.#t.geometry.setAttribute(`position`,new u(a,3))}this.stage.invalidate()}fitBodies(){let e=new r(1/0,1/0,1/0),t=new r(-1/0,-1/0,-1/0);for(let n=0;n*7<this.#n.length;n+=1){let r=this.positionOf(n);e.min(r),t.max(r)}let n=t.distanceTo(e)*.05+1,i={min:[e.x-n,e.y-n,e.z-n],max:[t.x+n,t.y+n,t.z+n]};this.stage.setBounds(this.#n.length>0?i:null),this.stage.fit()}positionOf(e){return new r().fromArray(this.#n,e*7)}beside(e,t,n){let i=this.stage.extent()/100,a=this.stage.camera,o=new r().setFromMatrixColumn(a.matrixWorld,0).multiplyScalar(t*i),s=new r().setFromMatrixColumn(a.matrixWorld,1).multiplyScalar(n*i);return this.positionOf(e).add(o).add(s).toArray()}contact(e){let t=e*13;return t+13>this.#r.length?null:{number:e,a:this.#i[t]??0,b:this.#i[t+1]??0,distance:this.#r[t+3]??0,pointA:new r().fromArray(this.#r,t+4),pointB:new r().fromArray(this.#r,t+7),normal:new r().fromArray(this.#r,t+10)}}contactOf(e,t){for(let n=0;n<this.#i.length;n+=13)if(this.#i[n]===e&&this.#i[n+1]===t)return this.contact(n/13);return null}contactAt(e,t,n){if(!this.#a.contacts&&!this.#a.normals)return null;let r=this.stage.canvas.getBoundingClientRect(),i=null,a=n;for(let n=0;n<this.#i.length/13;n+=1){let o=this.contact(n),s=o?.pointA.clone().lerp(o.pointB,.5),c=s?this.stage.place(s):null;if(o&&c){let n=Math.hypot(c.x+r.left-e,c.y+r.top-t);n<a&&(a=n,i=o)}}return i}get contactNumbers(){return this.#r}dispose(){this.bodies.dispose(),this.contacts.dispose(),this.boxes.dispose(),this.stage.dispose()}#o(){let e=E();this.bodies.setPalette(e),this.contacts.setPalette(e),this.boxes.setPalette(e);let t=e.bodies[D.selected];t&&(this.#e.material.color=t,this.#t.material.color=t)}};export{re as t};