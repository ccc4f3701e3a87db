import { type FormEvent, useState } from 'react'
import type { Requests } from '../messages.ts'
import { Button, Field, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction, useAnswer } from './useWorker.tsx'

type Address = Requests['saveName']['ask']['address']

export function Names() {
  const { text } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const names = useAnswer('names', {})
  const [typed, setTyped] = useState({ address: '', name: '' })
  const isAddress = /^0x[0-9a-f]{40}$/i.test(typed.address.trim())
  const problem = typed.address === '' || isAddress ? undefined : text('names.notAddress')
  const save = (address: string, name: string) => ask('saveName', { address: address as Address, name }) // a checked or stored address
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // Enter submits even while the button is disabled.
    if (!isAddress || typed.name.trim() === '') return
    run(async () => {
      await save(typed.address.trim(), typed.name.trim())
      setTyped({ address: '', name: '' })
    })
  }
  return (
    <section className="stack">
      <h2>{text('settings.names')}</h2>
      <p className="quiet">{text('names.hint')}</p>
      <ul className="list">
        {Object.entries(names ?? {}).map(([address, name]) => (
          <li key={address} className="row">
            <div className="grow">
              <strong>{name}</strong>
              <div className="code quiet">{address}</div>
            </div>
            <Button
              isSlim
              label={text('names.removeOf', { name })}
              onClick={() => run(() => save(address, ''))}
            >
              {text('names.remove')}
            </Button>
          </li>
        ))}
      </ul>
      <form className="stack card" onSubmit={onSubmit}>
        {(['address', 'name'] as const).map((field) => (
          <Field
            key={field}
            label={text(`names.${field}`)}
            problem={field === 'address' ? problem : undefined}
          >
            {(control) => (
              <input
                {...control}
                value={typed[field]}
                spellCheck={false}
                onChange={({ target }) => setTyped({ ...typed, [field]: target.value })}
              />
            )}
          </Field>
        ))}
        <Problem text={failure && text(`failure.${failure.code}`)} />
        <Button type="submit" isDisabled={isRunning || !isAddress || typed.name.trim() === ''}>
          {text('save')}
        </Button>
      </form>
    </section>
  )
}
