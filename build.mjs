import { build } from 'esbuild'

/** What `bin/majlis` and the package's users run: our own code in one place, dependencies left where npm put them. */
async function bundle() {
  await build({
    entryPoints: { main: 'src/main.ts', index: 'src/index.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
}

await bundle()
