import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The admin for production. `api/pages/web-files.ts` reads the manifest: it says what a page has to load. */
export default defineConfig({
  root: folder('.'),
  plugins: [react(), compressed()],
  build: {
    target: 'es2024',
    manifest: true,
    // a page is not allowed to load data: addresses as fonts or styles, so nothing is put into another file
    assetsInlineLimit: 0,
    rolldownOptions: { input: folder('src/main.tsx') },
  },
})
