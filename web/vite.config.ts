import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the admin for production. `api/pages/web-files.ts` reads the manifest to find the files of a page. */
export default defineConfig({
  root: folder('.'),
  plugins: [react(), compressed()],
  build: {
    target: 'es2024',
    manifest: true,
    // the content security policy forbids data: URLs for fonts and styles, so no file is inlined
    assetsInlineLimit: 0,
    // the licences of the bundled packages want their notices beside each copy; `api/pages/web-files.ts` serves them
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: folder('src/main.tsx'),
      output: {
        postBanner: '/*! Licences: /licenses.md */',
        // without these groups a page loads up to 60 small scripts, which compress worse and take a request each
        codeSplitting: {
          groups: [
            // the packages of the first load change less often than the app; the order of styles stays as imported
            { name: 'packages', tags: ['$initial'], test: /node_modules.*\.[cm]?js$/ },
            { name: 'app', tags: ['$initial'] },
            // of the pages and dialogs that load their code when they are opened; reports have a file of their own
            { name: 'shared', minShareCount: 12, test: /^(?!.*\/pages\/reports\/)/ },
          ],
        },
      },
    },
  },
})
