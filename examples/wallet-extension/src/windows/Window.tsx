import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { WalletState } from '../messages.ts'
import { Brand } from './Icon.tsx'
import { Button, Field, Frame, Note } from './parts.tsx'
import { languageOf, TextProvider, useText } from './useText.tsx'
import { useAction, useAnswer, type Worker, WorkerProvider } from './useWorker.tsx'

/** Renders the root of every window. Applies language and theme, and asks for the password while the wallet is locked. */
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

export function Unreadable() {
  const { text } = useText()
  return (
    <Frame>
      <div className="greeting">
        <Brand size={44} />
        <h1>{text('unreadable.title')}</h1>
        <p>{text('unreadable.body')}</p>
        <p>{text('unreadable.again')}</p>
      </div>
    </Frame>
  )
}

function Unlock(props: { waiting: number }) {
  const { text } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const [password, setPassword] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    run(() => ask('unlock', { password }))
  }
  return (
    <Frame>
      <form onSubmit={onSubmit} className="greeting">
        <Brand size={44} />
        <h1>{text('unlock.title')}</h1>
        {props.waiting > 0 && (
          <Note>{text(props.waiting === 1 ? 'unlock.one' : 'unlock.some', { count: props.waiting })}</Note>
        )}
        <Field
          label={text('setup.password')}
          problem={failure === undefined ? undefined : text(`failure.${failure.code}`)}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="current-password"
              // biome-ignore lint/a11y/noAutofocus: the window has nothing else to do
              autoFocus
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
        <Button type="submit" isPrimary isDisabled={isRunning}>
          {text(isRunning ? 'unlock.running' : 'unlock.submit')}
        </Button>
      </form>
    </Frame>
  )
}
