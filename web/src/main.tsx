import './styles.ts'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { isInAdmin, styleNonce } from './browser/host.ts'
import { router } from './router.tsx'

// react-remove-scroll, which stops scrolling behind dialogs, takes the style nonce from get-nonce
setNonce(styleNonce)

// request the data of the page before the first render
if (isInAdmin) void router.load()

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
