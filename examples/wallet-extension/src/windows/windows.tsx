import { Approvals } from './Approvals.tsx'
import { Home } from './Home.tsx'
import { SettingsPages } from './SettingsPages.tsx'
import { Setup, Welcome } from './Setup.tsx'
import type { Worker } from './useWorker.tsx'
import { Window } from './Window.tsx'

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
