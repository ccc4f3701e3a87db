import { type FormEvent, useState } from 'react'
import type { Account, Network, PaymentLink } from '../messages.ts'
import { Button, Field, Note, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction } from './useWorker.tsx'

/** Reads a payment link and shows what it pays. The approval window asks for the signature, as for any request. */
export function PayLink(props: { account: Account; networks: readonly Network[] }) {
  const { text } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const [link, setLink] = useState('')
  const [read, setRead] = useState<PaymentLink>()
  const [isSent, setIsSent] = useState(false)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsSent(false)
    run(async () => setRead(await ask('readPaymentLink', { link: link.trim() })))
  }
  const problem = failure && text(`failure.${failure.code}`)
  if (read === undefined)
    return (
      <form onSubmit={onSubmit} className="stack">
        <h2>{text('link.title')}</h2>
        <div role="status">{isSent && <Note>{text('link.sent')}</Note>}</div>
        <Field label={text('link.label')} hint={text('link.hint')} problem={problem}>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={link}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setLink(target.value)}
            />
          )}
        </Field>
        <Button type="submit" isPrimary isDisabled={isRunning || link.trim() === ''}>
          {text('link.read')}
        </Button>
      </form>
    )
  return (
    <div className="stack">
      <LinkDetails link={read} {...props} />
      <Problem text={problem} />
      <div className="side-by-side">
        <Button onClick={() => setRead(undefined)}>{text('back')}</Button>
        <Button
          isPrimary
          isDisabled={isRunning}
          onClick={() =>
            run(async () => {
              await ask('payLink', { link: link.trim(), account: props.account.address })
              // The approval window now shows the request. A second click would add it again.
              setRead(undefined)
              setLink('')
              setIsSent(true)
            })
          }
        >
          {text(isRunning ? 'link.preparing' : 'link.continue')}
        </Button>
      </div>
    </div>
  )
}

function LinkDetails(props: { link: PaymentLink; account: Account; networks: readonly Network[] }) {
  const { link, account, networks } = props
  const { text, usd } = useText()
  const units = (cents: number) => BigInt(cents) * 10_000n
  return (
    <>
      <h2>{text('link.pay', { shop: link.pinName })}</h2>
      <p className="figure amount">{usd(units(link.cents))}</p>
      {link.isNewReceiver && <Note tone="care">{text('finding.receiver')}</Note>}
      <dl className="facts card">
        <dt>{text('link.order')}</dt>
        <dd className="code">{link.purchaseId}</dd>
        {link.usdcCents > 0 && (
          <>
            <dt>{text('link.parts')}</dt>
            <dd>
              {text('link.partsOf', {
                credits: usd(units(link.cents - link.usdcCents)),
                usdc: usd(units(link.usdcCents)),
              })}
            </dd>
          </>
        )}
        <dt>{text('link.to')}</dt>
        <dd>
          {link.toName !== undefined && <strong>{link.toName} </strong>}
          <span className="code">{link.to}</span>
        </dd>
        <dt>{text('network')}</dt>
        <dd>{networks.find(({ chainId }) => chainId === link.chainId)?.name ?? link.chainId}</dd>
        <dt>{text('link.from')}</dt>
        <dd>{account.name}</dd>
      </dl>
    </>
  )
}
