import { type FormEvent, useState } from 'react'
import { Brand } from './Icon.tsx'
import { Button, Field, Frame, Note } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction, useWorker } from './useWorker.tsx'

/** Asks for the password. */
export function Unlock(props: { waiting: number }) {
  const { text } = useText()
  const { ask } = useWorker()
  const { run, isRunning, failure } = useAction()
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
