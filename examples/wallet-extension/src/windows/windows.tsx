/// <reference types="chrome" />
import './styles/base.css'
import './styles/parts.css'
import './styles/windows.css'
import { type ReactNode, StrictMode, useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { askWorker, onChanged } from '../askWorker.ts'
import type { WalletState } from '../messages.ts'
import { ConnectRequest } from './ConnectRequest.tsx'
import { Home } from './Home.tsx'
import type { Place } from './Request.tsx'
import { SettingsPages } from './SettingsPages.tsx'
import { Setup, Welcome } from './Setup.tsx'
import { SignRequest } from './SignRequest.tsx'
import { languageOf, TextProvider } from './useText.tsx'
import { useAnswer, useWorker, type Worker } from './useWorker.tsx'
import { Unreadable, Window } from './Window.tsx'

export function PopupWindow(props: { worker: Worker }) {
  return (
    <Window worker={props.worker} empty={<Welcome />}>
      {(state) => <Home state={state} />}
    </Window>
  )
}

/** Also sets up a new wallet. */
export function SettingsWindow(props: { worker: Worker }) {
  return (
    <Window worker={props.worker} empty={<Setup />}>
      {(state) => <SettingsPages state={state} />}
    </Window>
  )
}

export function ApprovalWindow(props: { worker: Worker }) {
  return (
    <Window worker={props.worker} empty={<Welcome />}>
      {(state) => <Approvals state={state} />}
    </Window>
  )
}

/** The oldest request is first. It stays until the user answers it or the page withdraws it. The window closes after the last one. */
function Approvals(props: { state: WalletState }) {
  const { closeWindow } = useWorker()
  const approvals = useAnswer('approvals', {})
  const isEmpty = approvals?.length === 0
  useEffect(() => {
    if (isEmpty) void closeWindow()
  }, [isEmpty, closeWindow])
  const heldId = useRef<string>(undefined)
  const held = approvals?.find(({ id }) => id === heldId.current) ?? approvals?.[0]
  heldId.current = held?.id
  if (approvals === undefined || held === undefined) return null
  const place: Place = { at: approvals.indexOf(held) + 1, of: approvals.length }
  return held.kind === 'connect' ? (
    <ConnectRequest key={held.id} approval={held} place={place} state={props.state} />
  ) : (
    <SignRequest key={held.id} approval={held} place={place} state={props.state} />
  )
}

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
