import { createRoot } from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import { App } from './app.tsx'
import { applyTheme, readTheme } from './data/theme.ts'

applyTheme(readTheme())
// After an update the files of the old pages are gone.
addEventListener('vite:preloadError', () => location.reload())
const root = document.querySelector('#root')
// The files are one folder below the pages.
const base = new URL(/* @vite-ignore */ '..', import.meta.url).pathname.replace(/\/$/, '')
if (root !== null) createRoot(root).render(<App base={base} />)
