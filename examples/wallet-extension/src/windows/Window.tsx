import { type ReactNode, useEffect } from 'react'
import type { WalletState } from '../messages.ts'
import { Unlock } from './Unlock.tsx'
import { languageOf, TextProvider } from './useText.tsx'
import { useAnswer, type Worker, WorkerProvider } from './useWorker.tsx'

/**
 * The root of every window: the wallet's language and theme, and the password if the wallet is locked.
 *
 * @param children what an unlocked wallet shows
 * @param empty what a wallet without a vault shows
 */
export function Window(props: {
  worker: Worker
  empty: ReactNode
  children: (state: WalletState) => ReactNode
}) {
  return (
    <WorkerProvider worker={props.worker}>
      <Content empty={props.empty}>{props.children}</Content>
    </WorkerProvider>
  )
}

function Content(props: { empty: ReactNode; children: (state: WalletState) => ReactNode }) {
  const state = useAnswer('state', {})
  const theme = state?.settings.theme
  useEffect(() => {
    if (theme === undefined) delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  if (state === undefined) return null
  return (
    <TextProvider language={languageOf(state.settings.language)}>
      {state.vault === 'none' && props.empty}
      {state.vault === 'locked' && <Unlock waiting={state.waiting} />}
      {state.vault === 'unlocked' && props.children(state)}
    </TextProvider>
  )
}
