import { build } from 'esbuild'; import { gzipSync } from 'node:zlib'; import { resolve } from 'node:path'
const root=process.cwd(); const code=process.argv[2]
const r = await build({ stdin:{contents:code,resolveDir:root,loader:'ts'},bundle:true,minify:true,format:'esm',write:false,platform:'browser',target:'es2022',plugins:[{name:'p',setup(b){b.onResolve({filter:/^redeemkit(\/.*)?$/},(a)=>({path:resolve(root,'src',a.path.slice(10)||'','index.ts'),sideEffects:false}));b.onResolve({filter:/^[^./]/},(a)=>a.kind==='entry-point'||a.path.startsWith('redeemkit')?undefined:{path:a.path,external:true})}}]})
const t=r.outputFiles[0].text
const gz=(s)=>gzipSync(s,{level:9}).length
let strs=[]; const out=t.replace(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g,(m)=>{ if(m.length>25){strs.push(m); return '""'} return m})
console.log('all',gz(t),'without long texts',gz(out),'texts',strs.length,strs.join('').length)
const fields=[...t.matchAll(/(fix|docs|field):(["`])/g)].length; console.log(fields)
strs.sort((a,b)=>b.length-a.length); console.log(strs.slice(0,60).join('\n'))
