import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))

export default defineConfig({
  root: here,
  plugins: [react()],
  // Only needed in this repository, to use redeemkit's sources. In your project, install `redeemkit`.
  resolve: {
    alias: [
      { find: /^redeemkit$/, replacement: `${repository}src/redeemkit/index.ts` },
      {
        find: /^@redeemkit\/sandbox\/testing\/wallet$/,
        replacement: `${repository}src/sandbox/testing/wallet/index.ts`,
      },
      { find: /^redeemkit\/(.+)$/, replacement: `${repository}src/redeemkit/$1/index.ts` },
    ],
  },
  server: { fs: { allow: [repository] } },
  build: { target: 'es2022', chunkSizeWarningLimit: 700 },
})
