import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Names stay as they are, for the sake of stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
}

/** htmlparser2 can write HTML too; we write it ourselves, and the tables for it would be built at every start. */
const unused = {
  'dom-serializer':
    "export default () => { throw new Error('dom-serializer is not in the bundle') }",
}

/** What `bin/majlis` and the package's users run. Packages with addons stay where npm put them. */
async function bundle() {
  await build({
    ...common,
    entryPoints: {
      main: 'src/main.ts',
      index: 'src/index.ts',
      typesetter: 'src/pdf/typesetter.ts',
    },
    outdir: 'dist',
    splitting: true,
    format: 'esm',
    external: ['better-sqlite3', 'uWebSockets.js', '@myriaddreamin/typst-ts-node-compiler'],
    plugins: [
      replace({
        ...unused,
        // Looking for its binary takes 40 ms, and most commands never need it.
        '@node-rs/argon2': `
          import { createRequire } from 'node:module'
          ${argon2("createRequire(import.meta.url)('@node-rs/argon2')")}`,
      }),
    ],
  })
}

/** The declarations of the package; checking them is the business of `npm run types`. */
function declarations() {
  const config = join(root, 'dist/tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: '../src',
    outDir: 'types',
  }
  writeFileSync(
    config,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions,
      include: [],
      files: ['../src/index.ts'],
    }),
  )
  const typescript = dirname(require.resolve('typescript/package.json'))
  node(join(typescript, 'bin/tsc'), '-p', config)
}

/** Node's single executable application: this very Node, with the code and all that it reads inside. */
async function executable(file) {
  mkdirSync(dirname(file), { recursive: true })
  const workshop = mkdtempSync(join(dirname(file), '.build-'))
  const addons = findAddons()
  const main = join(workshop, 'main.cjs')
  const blob = join(workshop, 'blob')
  const config = join(workshop, 'sea.json')
  const product = join(workshop, 'majlis')
  try {
    await bundleForExecutable(main, addons)
    const sea = {
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { 'schema.sql': join(root, 'schema.sql'), ...(await findFonts()), ...addons },
    }
    writeFileSync(config, JSON.stringify(sea))
    node('--experimental-sea-config', config)
    copyFileSync(process.execPath, product)
    const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2']
    node(require.resolve('postject/dist/cli.js'), product, 'NODE_SEA_BLOB', blob, ...fuse)
    renameSync(product, file)
  } finally {
    rmSync(workshop, { recursive: true })
  }
}

async function bundleForExecutable(outfile, addons) {
  const load = (name) => {
    const sha256 = createHash('sha256').update(readFileSync(addons[name])).digest('hex')
    return `require('./src/native.ts').loadAddon('${name}', '${sha256}')`
  }
  await build({
    ...common,
    stdin: {
      contents: `
        import { main } from './src/main.ts'
        import { TYPESETTER_MARK } from './src/pdf/typesetter-mark.ts'
        if (process.env[TYPESETTER_MARK]) require('./src/pdf/typesetter.ts')
        else main(process.argv.slice(2)).then((code) => { process.exitCode = code })`,
      resolveDir: root,
    },
    outfile,
    format: 'cjs',
    // Neither is there in an executable; src/assets.ts asks for the first only outside of one.
    define: { 'import.meta.url': 'undefined' },
    supported: { 'dynamic-import': false },
    plugins: [
      replace({
        ...unused,
        bindings: `module.exports = () => ${load('better_sqlite3.node')}`,
        'uWebSockets.js': `module.exports = ${load('uws.node')}`,
        '@node-rs/argon2': argon2(load('argon2.node')),
        '@myriaddreamin/typst-ts-node-compiler': `module.exports = ${load('typst.node')}`,
      }),
    ],
  })
}

/** The addons of this machine and this Node, by the names they have inside the executable. */
function findAddons() {
  const { platform, arch, versions } = process
  if (platform !== 'linux') throw new Error('The executable is made on Linux, for Linux.')
  const modules = join(root, 'node_modules')
  return {
    'better_sqlite3.node': join(modules, 'better-sqlite3/build/Release/better_sqlite3.node'),
    'uws.node': join(modules, `uWebSockets.js/dist/bin/uws_linux_${arch}_${versions.modules}.node`),
    'argon2.node': require.resolve(`@node-rs/argon2-linux-${arch}-gnu`),
    'typst.node': require.resolve(`@myriaddreamin/typst-ts-node-compiler-linux-${arch}-gnu`),
  }
}

/** The fonts of the PDFs, by the names that src/assets.ts reads them under. */
async function findFonts() {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['src/pdf/fonts.ts'],
    format: 'esm',
    write: false,
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  const { FONTS } = await import(`data:text/javascript;base64,${code}`)
  return Object.fromEntries(
    FONTS.map((name) => [`fonts/${name}`, require.resolve(`@expo-google-fonts/${name}`)]),
  )
}

/** In the place of @node-rs/argon2: the addon is had when it is first called. */
function argon2(addon) {
  return `
    export const hash = async (...args) => ${addon}.hash(...args)
    export const verify = async (...args) => ${addon}.verify(...args)`
}

/** Other modules in the place of packages, so that src/ imports them plainly. */
function replace(packages) {
  return {
    name: 'replace',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path }) =>
        Object.hasOwn(packages, path) ? { path, namespace: 'replaced' } : null,
      )
      onLoad({ filter: /.*/, namespace: 'replaced' }, ({ path }) => ({
        contents: packages[path],
        resolveDir: root,
      }))
    },
  }
}

/** What it says is shown only when it fails: postject warns of sections that every Node has. */
function node(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${words.join(' ')} failed:\n${stdout}${stderr}`)
}

const [part = 'all', file = join(root, 'dist/majlis')] = process.argv.slice(2)
if (part === 'bundle' || part === 'all') {
  await bundle()
  declarations()
}
if (part === 'executable' || part === 'all') await executable(resolve(file))
