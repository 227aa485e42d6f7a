import './styles.ts'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { isInAdmin, styleNonce } from './browser/host.ts'
import { router } from './router.tsx'

// the library that keeps a page from scrolling behind a dialog takes the nonce from here
setNonce(styleNonce)

// what the page shows is asked for before it is drawn for the first time
if (isInAdmin) void router.load()

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
