import { useId } from 'react'
import type { SignApproval, WalletState } from '../messages.ts'
import type { Place } from './Approvals.tsx'
import { AccountMark } from './Icon.tsx'
import { Inspected } from './Inspected.tsx'
import { Address, Note } from './parts.tsx'
import { Request } from './Request.tsx'
import { useText } from './useText.tsx'

/** A request to sign. A refused one has no sign button. */
export function SignRequest(props: { approval: SignApproval; place: Place; state: WalletState }) {
  const { approval, place, state } = props
  const { inspection, also, digests, transaction, pinNames } = approval
  const { text } = useText()
  const titleId = useId()
  const verdicts = [inspection.verdict, also?.verdict]
  const warning = approval.isNewReceiver === true ? text('finding.receiver') : undefined
  const isPossible = !verdicts.includes('refuse') && transaction?.state !== 'failed'
  const isReady = digests.length > 0 && (transaction === undefined || transaction.state === 'ready')
  const network = state.networks.find(({ chainId }) => chainId === approval.chainId)
  return (
    <Request
      approval={approval}
      place={place}
      titleId={titleId}
      known={
        <p>
          {pinNames.length > 0 ? (
            <span className={`badge${isPossible ? ' good' : ''}`}>
              {text('asker.pinned', { names: pinNames.join(', ') })}
            </span>
          ) : (
            approval.asker.kind === 'site' && <span className="badge">{text('asker.unknown')}</span>
          )}
        </p>
      }
      signer={<Signer approval={approval} state={state} />}
      approveText={isPossible ? text(`approve.${approval.method}`) : undefined}
      isSafe={warning === undefined && verdicts.every((one) => one === undefined || one === 'ok')}
      answer={isReady ? { digests } : undefined}
    >
      <Inspected inspection={inspection} network={network} titleId={titleId} warning={warning} />
      {also !== undefined && (
        <section className="also" aria-label={text('also')}>
          <h2>{text('also')}</h2>
          <Inspected inspection={also} network={network} />
        </section>
      )}
      {approval.method === 'wallet_sendCalls' && digests.length > 1 && (
        <Note>{text('calls', { count: digests.length })}</Note>
      )}
      <Transaction transaction={transaction} coin={network?.coin ?? text('coin')} />
      <Raw approval={approval} />
    </Request>
  )
}

function Signer(props: { approval: SignApproval; state: WalletState }) {
  const { account, chainId } = props.approval
  const { accounts, networks } = props.state
  const { text } = useText()
  return (
    <div className="row small">
      <AccountMark address={account} size={20} />
      <span className="grow">
        <span className="for-ears">{text('signer')}: </span>
        <strong>{accounts.find(({ address }) => address === account)?.name}</strong>{' '}
        <Address address={account} />
      </span>
      <span className="badge">{networks.find((one) => one.chainId === chainId)?.name ?? chainId}</span>
    </div>
  )
}

function Transaction(props: { transaction: SignApproval['transaction']; coin: string }) {
  const { transaction, coin } = props
  const { text, amount } = useText()
  if (transaction === undefined) return null
  if (transaction.state === 'ready')
    return (
      <dl className="facts card">
        <div>
          <dt>{text('fee')}</dt>
          <dd className="amount">
            {amount(transaction.maxFee, 18)} {coin}
          </dd>
        </div>
      </dl>
    )
  return (
    <div role="status">
      {transaction.state === 'preparing' ? (
        <Note>{text('preparing')}</Note>
      ) : (
        <Note tone="bad">{text('notPrepared', { reason: visibleText(transaction.reason) })}</Note>
      )}
    </div>
  )
}

/** The request as it arrived, and the digests, to compare them with another device. */
function Raw(props: { approval: SignApproval }) {
  const { raw, digests, inspection } = props.approval
  const { text } = useText()
  const { domainHash, messageHash, calldata = [] } = inspection.digests
  const parts = [
    ...digests.map((digest) => [text('digest'), digest]),
    ...(domainHash === undefined ? [] : [['Domain Hash', domainHash]]),
    ...(messageHash === undefined ? [] : [['Message Hash', messageHash]]),
    ...calldata.map((digest) => ['Calldata Digest', digest]),
  ]
  return (
    <details className="disclosure">
      <summary>{text('raw')}</summary>
      <div className="stack">
        <dl className="stack small">
          {parts.map(([name, digest]) => (
            <div key={`${name} ${digest}`}>
              <dt className="quiet">{name}</dt>
              <dd className="code">{digest}</dd>
            </div>
          ))}
        </dl>
        {/* It scrolls, so the keyboard has to reach it. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
        <pre className="raw" dir="ltr" tabIndex={0}>
          {visibleText(raw)}
        </pre>
      </div>
    </details>
  )
}

/** Writes out characters that cannot be seen or that reorder others, so that text looks like what it is. Line ends stay. */
function visibleText(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu, (hidden) => {
    const code = (hidden.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
    return `\\u${code.length > 4 ? `{${code}}` : code}`
  })
}
