/// <reference types="chrome" />
import './styles/index.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { askWorker, onChanged } from '../askWorker.ts'
import { languageOf, TextProvider } from './useText.tsx'
import type { Worker } from './useWorker.tsx'
import { Unreadable } from './Window.tsx'

const worker: Worker = {
  ask: askWorker,
  onChanged,
  openSettings: () => chrome.runtime.openOptionsPage(),
  closeWindow: async () => {
    // The page may also be open in a tab of the browser's window.
    const { id: windowId, type } = await chrome.windows.getCurrent()
    if (windowId !== undefined && type === 'popup') await askWorker('closeEmpty', { windowId })
  },
  // Chrome throws for a node with http outside this machine: the manifest has no such permission.
  allowNode: (rpcUrl) =>
    chrome.permissions.request({ origins: [`${new URL(rpcUrl).origin}/*`] }).catch(() => false),
}

/**
 * Draws a page of the extension. If the worker cannot read its data, the page says so: an empty page would look as if everything was lost.
 */
export function openWindow(content: (worker: Worker) => ReactNode): void {
  const element = document.getElementById('root')
  if (element === null) throw new Error('The page has no element #root.')
  const failed = (
    <TextProvider language={languageOf(undefined)}>
      <Unreadable />
    </TextProvider>
  )
  const root = createRoot(element, { onUncaughtError: () => root.render(failed) })
  root.render(<StrictMode>{content(worker)}</StrictMode>)
}
