import './styles.ts'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { styleNonce } from './host.ts'

// the library that keeps a page from scrolling behind a dialog takes the nonce from here
setNonce(styleNonce)

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
