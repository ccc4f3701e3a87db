import { useId } from 'react'
import type { Network, SignApproval, WalletState } from '../messages.ts'
import { AccountMark } from './Icon.tsx'
import { Inspected } from './Inspected.tsx'
import { Address, Note } from './parts.tsx'
import { type Place, Request } from './Request.tsx'
import { useText } from './useText.tsx'

/** Shows a request for a signature. A refused request has no sign button. */
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
      signer={
        <>
          <Transaction transaction={transaction} network={network} />
          <Signer approval={approval} state={state} />
        </>
      }
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
      <Raw approval={approval} network={network} />
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

function Transaction(props: { transaction: SignApproval['transaction']; network: Network | undefined }) {
  const { transaction, network } = props
  const { text } = useText()
  const feeText = useFee(network)
  if (transaction === undefined) return null
  if (transaction.state === 'ready')
    return (
      <dl className="row small">
        <dt className="grow quiet">{text('fee')}</dt>
        <dd className="amount">{feeText(readable(transaction.maxFee))}</dd>
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

/** Returns a function that formats a fee with its unit. Tempo states fees in dollars (TIP-1067) and charges them in a token. */
function useFee(network: Network | undefined) {
  const { text, usd, amount } = useText()
  return (fee: bigint) =>
    network?.blockchain === 'tempo'
      ? text('fee.tempo', { amount: usd((fee + weiPerRawUnit - 1n) / weiPerRawUnit) })
      : `${amount(fee, 18)} ${network?.coin ?? text('coin')}`
}

const weiPerRawUnit = 10n ** 12n

/** Rounds up to four decimals, so that a fee is never shown too low. */
function readable(fee: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, `${fee}`.length - 4))
  return ((fee + unit - 1n) / unit) * unit
}

/** Shows the original request and its digests, which the user can compare with those on another device. */
function Raw(props: { approval: SignApproval; network: Network | undefined }) {
  const { raw, digests, inspection, transaction } = props.approval
  const { text } = useText()
  const feeText = useFee(props.network)
  const { domainHash, messageHash, calldata = [] } = inspection.digests
  const parts = [
    ...digests.map((digest) => [text('digest'), digest]),
    ...(domainHash === undefined ? [] : [['Domain Hash', domainHash]]),
    ...(messageHash === undefined ? [] : [['Message Hash', messageHash]]),
    ...calldata.map((digest) => ['Calldata Digest', digest]),
    ...(transaction?.state === 'ready' ? [[text('fee.exact'), feeText(transaction.maxFee)]] : []),
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
        {/* Focusable, so that the user can scroll it with the keyboard. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
        <pre className="raw" dir="ltr" tabIndex={0}>
          {visibleText(raw)}
        </pre>
      </div>
    </details>
  )
}

/** Shows invisible and reordering characters as escapes, except line breaks, so that no text is disguised. */
function visibleText(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu, (hidden) => {
    const code = (hidden.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
    return `\\u${code.length > 4 ? `{${code}}` : code}`
  })
}
