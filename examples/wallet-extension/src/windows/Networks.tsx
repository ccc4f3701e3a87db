import { type FormEvent, useState } from 'react'
import type { Network } from '../messages.ts'
import { Button, Field } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction, useWorker } from './useWorker.tsx'

export function Networks(props: { networks: readonly Network[] }) {
  const { text } = useText()
  return (
    <section className="stack">
      <h2>{text('settings.networks')}</h2>
      <p className="quiet">{text('networks.hint')}</p>
      <ul className="list">
        {props.networks.map((network) => (
          <li key={network.chainId}>
            <Node network={network} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Node(props: { network: Network }) {
  const { chainId, name, rpcUrl } = props.network
  const { text } = useText()
  const { allowNode } = useWorker()
  const { ask, run, isRunning, failure } = useAction()
  const [typed, setTyped] = useState(rpcUrl ?? '')
  const [isRefused, setRefused] = useState(false)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const url = typed.trim() || undefined
    run(async () => {
      // the worker refuses all other addresses, because the browser has no permission for them
      const isAllowed = url === undefined || !/^https?:/i.test(url) || (await allowNode(url))
      setRefused(!isAllowed)
      if (isAllowed) await ask('setNode', { chainId, rpcUrl: url })
    })
  }
  const problem = failure
    ? text(`failure.${failure.code}`)
    : isRefused
      ? text('networks.notAllowed')
      : undefined
  return (
    <form onSubmit={onSubmit} className="node">
      <Field label={`${name} (${chainId})`} problem={problem}>
        {(control) => (
          <input
            {...control}
            type="url"
            inputMode="url"
            placeholder={text('networks.none')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        label={text('networks.saveOf', { name })}
        isDisabled={isRunning || typed.trim() === (rpcUrl ?? '')}
      >
        {text('save')}
      </Button>
    </form>
  )
}
