import { formatUsd } from 'redeemkit'
import { useBalances } from 'redeemkit/react'
import { useConnection } from 'wagmi'

/** Opens the wallet's window, and shows what the wallet has. */
export function WalletButton({ onPress }: { onPress: () => void }) {
  const { address, status } = useConnection()
  const { data } = useBalances()
  if (address === undefined)
    return (
      <button type="button" className="button button-small wallet-button" onClick={onPress}>
        {status === 'reconnecting' ? 'Connecting' : 'Connect'}
      </button>
    )
  return (
    <button type="button" className="button button-plain button-small wallet-button" onClick={onPress}>
      <span className="wallet-dot" aria-hidden="true" />
      <span className="for-ears">Wallet </span>
      <span className="code">{shorten(address)}</span>
      {data && <span className="money">{formatUsd({ cents: data.credits.cents + data.usdc.cents })}</span>}
    </button>
  )
}

function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
