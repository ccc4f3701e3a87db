import { formatUsd } from 'redeemkit'
import { useBalances } from 'redeemkit/react'
import { type Connector, useConnect, useConnection, useConnectors, useDisconnect } from 'wagmi'
import { Problem } from '../payment/Problem.tsx'
import { hrefOf } from '../routes.ts'
import { SignIn } from './SignIn.tsx'

export function WalletButton({ onClick }: { onClick: () => void }) {
  const { address, status } = useConnection()
  const { data } = useBalances()
  if (address === undefined)
    return (
      <button type="button" className="button button-small wallet-button" onClick={onClick}>
        {status === 'reconnecting' ? 'Connecting' : 'Connect'}
      </button>
    )
  return (
    <button type="button" className="button button-plain button-small wallet-button" onClick={onClick}>
      <span className="wallet-dot" aria-hidden="true" />
      <span className="for-ears">Wallet </span>
      <span className="code">{shorten(address)}</span>
      {data && (
        <span className="wallet-funds money">
          <span>Credits {formatUsd({ cents: data.credits.cents })}</span>{' '}
          <span>USDC {formatUsd({ cents: data.usdc.cents })}</span>
        </span>
      )}
    </button>
  )
}

function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

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
      {error && <Problem title="Your balance cannot be shown." error={error} />}
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

function WalletList({ onConnected }: { onConnected: () => void }) {
  const announced = useConnectors()
  // Passed to the hook, not to `connect`: this list unmounts before a callback of the call would run.
  const connect = useConnect({ mutation: { onSuccess: onConnected } })
  const connectors = worthShowing(announced)
  const choose = (connector: Connector) => {
    if (connect.isPending) return
    connect.mutate({ connector })
  }
  return (
    <div className="stack">
      {connectors.length === 0 && (
        <p>No wallet was found in this browser. Install a wallet extension, then reload the page.</p>
      )}
      <ul className="wallet-list">
        {connectors.map((connector) => {
          const isTest = connector.id === 'shop.lampfall.test-wallet'
          const isAsked = connect.isPending && connect.variables.connector === connector
          return (
            <li key={connector.uid}>
              <button
                type="button"
                className="wallet-row"
                aria-disabled={connect.isPending}
                onClick={() => choose(connector)}
              >
                {connector.icon ? <img src={connector.icon} alt="" /> : <span className="wallet-blank" />}
                <span className="wallet-name">{connector.name}</span>
                <span className="quiet">
                  {isAsked
                    ? 'Check your wallet'
                    : isTest
                      ? 'No extension needed, and no real money'
                      : 'Found in this browser'}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {connect.error && <Problem title="The wallet is not connected." error={connect.error} />}
    </div>
  )
}

/** `window.ethereum` is offered only if no wallet announces itself, because announced wallets also set it. */
function worthShowing(connectors: readonly Connector[]): readonly Connector[] {
  const announced = connectors.filter(({ id }) => id !== 'injected')
  const isAlone = announced.every(({ id }) => id === 'shop.lampfall.test-wallet')
  return isAlone && typeof window !== 'undefined' && 'ethereum' in window ? connectors : announced
}
