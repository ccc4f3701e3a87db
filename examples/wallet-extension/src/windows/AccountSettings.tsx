import { type FormEvent, useState } from 'react'
import type { Account } from '../messages.ts'
import { AccountMark } from './Icon.tsx'
import { Button, Problem } from './parts.tsx'
import { noSecret, SecretFields } from './SecretFields.tsx'
import { useText } from './useText.tsx'
import { useAction } from './useWorker.tsx'

export function AccountSettings(props: { accounts: readonly Account[] }) {
  const { text } = useText()
  return (
    <>
      <section className="stack">
        <h2>{text('settings.accounts')}</h2>
        <ul className="list">
          {props.accounts.map((account) => (
            <li key={account.address}>
              <Rename account={account} />
            </li>
          ))}
        </ul>
      </section>
      <Import />
    </>
  )
}

function Rename(props: { account: Account }) {
  const { address, name, from } = props.account
  const { text } = useText()
  const { ask, run } = useAction()
  const [typed, setTyped] = useState(name)
  const save = () => {
    if (typed.trim() === '') setTyped(name)
    else if (typed.trim() !== name) run(() => ask('renameAccount', { address, name: typed.trim() }))
  }
  return (
    <div className="row">
      <AccountMark address={address} size={32} />
      <div className="grow field">
        <input
          aria-label={text('accounts.nameOf', { address })}
          value={typed}
          maxLength={40}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={save}
        />
        <span className="code quiet">{address}</span>
      </div>
      <span className="badge">{text(`accounts.${from}`)}</span>
    </div>
  )
}

function Import() {
  const { text } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const [secret, setSecret] = useState(noSecret)
  const [imported, setImported] = useState<Account>()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    run(async () => {
      setImported(await ask('importSecret', { secret }))
      setSecret(noSecret)
    })
  }
  const isSecret = failure?.code === 'invalidSecret'
  return (
    <form className="stack card" onSubmit={onSubmit}>
      <h2>{text('accounts.import')}</h2>
      <SecretFields
        secret={secret}
        problem={isSecret ? text(`import.${secret.kind}Problem`) : undefined}
        onChange={setSecret}
      />
      <Problem text={failure === undefined || isSecret ? undefined : text(`failure.${failure.code}`)} />
      <p role="status">{imported !== undefined && text('accounts.imported', { name: imported.name })}</p>
      <Button type="submit" isDisabled={isRunning}>
        {text('accounts.importSubmit')}
      </Button>
    </form>
  )
}
