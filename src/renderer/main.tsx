import { createRoot } from 'react-dom/client'
import './style.css'
import { keepConnected } from './client.ts'
import { App } from './frame/app.tsx'
import { startAppearance } from './frame/appearance.ts'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { followAddress } from './state/route.ts'

startAppearance()
followAddress()
void keepConnected()
const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <ErrorBoundary>
      <App />
    </ErrorBoundary>,
  )
