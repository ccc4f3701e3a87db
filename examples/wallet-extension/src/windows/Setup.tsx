import { type FormEvent, useState } from 'react'
import { Brand } from './Icon.tsx'
import { Button, Field, Frame, Note, Problem } from './parts.tsx'
import { passwordStrength } from './passwordStrength.ts'
import { noSecret, SecretFields } from './SecretFields.tsx'
import { useText } from './useText.tsx'
import { useAction, useWorker } from './useWorker.tsx'

/** Shows the popup of a new wallet. The import opens in a tab, because a popup closes while the user copies a phrase. */
export function Welcome() {
  const { text } = useText()
  const { openSettings } = useWorker()
  return (
    <Frame
      foot={
        <Button isPrimary onClick={openSettings}>
          {text('welcome.start')}
        </Button>
      }
    >
      <div className="greeting">
        <Brand size={44} />
        <h1>{text('welcome.title')}</h1>
        <p className="quiet">{text('welcome.body')}</p>
      </div>
    </Frame>
  )
}

export function Setup() {
  const { text } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const [secret, setSecret] = useState(noSecret)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isSent, setSent] = useState(false)
  const strength = passwordStrength(password)
  const isWeak = strength === 'weak' || failure?.code === 'weakPassword'
  const isOther = again !== password
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (!isWeak && !isOther) run(() => ask('createVault', { password, secret }))
  }
  return (
    <form onSubmit={onSubmit} className="setup">
      <Brand size={32} />
      <h1>{text('setup.title')}</h1>
      <p className="quiet">{text('setup.body')}</p>
      <Note tone="care">{text('setup.example')}</Note>
      <SecretFields
        secret={secret}
        problem={failure?.code === 'invalidSecret' ? text(`import.${secret.kind}Problem`) : undefined}
        onChange={setSecret}
      />
      <Field
        label={text('setup.password')}
        hint={
          <span role="status">
            {text(password === '' ? 'setup.passwordHint' : `strength.${strength}`)}
            {password !== '' && <meter className={strength} max={3} value={levels[strength]} aria-hidden />}
          </span>
        }
        problem={isSent && isWeak ? text('failure.weakPassword') : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <Field label={text('setup.again')} problem={isSent && isOther ? text('setup.other') : undefined}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="new-password"
            value={again}
            onChange={({ target }) => setAgain(target.value)}
          />
        )}
      </Field>
      <Problem
        text={
          failure === undefined || failure.code === 'invalidSecret' || failure.code === 'weakPassword'
            ? undefined
            : text(`failure.${failure.code}`)
        }
      />
      <Button type="submit" isPrimary isDisabled={isRunning}>
        {text(isRunning ? 'setup.creating' : 'setup.create')}
      </Button>
    </form>
  )
}

const levels = { weak: 1, fair: 2, strong: 3 }
