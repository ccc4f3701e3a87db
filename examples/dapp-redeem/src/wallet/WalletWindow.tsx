import { formatUsd, userMessage } from 'redeemkit'
import { useBalances } from 'redeemkit/react'
import { useConnection, useDisconnect } from 'wagmi'
import { Problem } from '../payment/Problem.tsx'
import { hrefOf } from '../routes/route.ts'
import { SignIn } from './SignIn.tsx'
import { WalletList } from './WalletList.tsx'

/** The wallet's window: which one, what it has, whether it is signed in. */
export function WalletWindow({ onDone }: { onDone: () => void }) {
  const { address, connector } = useConnection()
  const balances = useBalances()
  const disconnect = useDisconnect({ mutation: { onSuccess: onDone } })
  if (address === undefined) return <WalletList onConnected={onDone} />
  const { data, error } = balances
  return (
    <div className="stack">
      <p>
        <span className="wallet-name">{connector?.name}</span>
        <br />
        <span className="code">{address}</span>
      </p>
      <dl className="balances">
        <div className="balance">
          <dt>Credits</dt>
          <dd className="money">{data ? formatUsd({ cents: data.credits.cents }) : '…'}</dd>
        </div>
        <div className="balance">
          <dt>USDC</dt>
          <dd className="money">{data ? formatUsd({ cents: data.usdc.cents }) : '…'}</dd>
        </div>
      </dl>
      {error && (
        <Problem title="Your balance cannot be shown." error={error}>
          {userMessage(error, { about: 'other' })}
        </Problem>
      )}
      <SignIn />
      <a className="button button-plain button-wide" href={hrefOf({ page: 'credits' })} onClick={onDone}>
        Buy credits
      </a>
      <button type="button" className="button button-plain button-wide" onClick={() => disconnect.mutate({})}>
        Disconnect
      </button>
    </div>
  )
}
