import { userMessage } from 'redeemkit'
import { type Connector, useConnect, useConnectors } from 'wagmi'
import { Problem } from '../payment/Problem.tsx'

/** The wallets of this browser (EIP-6963), to choose one. */
export function WalletList({ onConnected }: { onConnected: () => void }) {
  const announced = useConnectors()
  // By the option, since this list is gone before a call's own callback.
  const connect = useConnect({ mutation: { onSuccess: onConnected } })
  const connectors = worthShowing(announced)
  const choose = (connector: Connector) => {
    if (connect.isPending) return
    connect.mutate({ connector })
  }
  return (
    <div className="stack">
      {connectors.length === 0 && (
        <p>This browser shows no wallet. Install one as an extension, then reload the page.</p>
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
                    ? 'Look at your wallet'
                    : isTest
                      ? 'No extension needed, and no real money'
                      : 'Found in this browser'}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {connect.error && (
        <Problem title="The wallet is not connected.">
          {userMessage(connect.error, { about: 'other' })}
        </Problem>
      )}
    </div>
  )
}

/** `window.ethereum` only where no wallet announces itself: those that do stand there, too. */
function worthShowing(connectors: readonly Connector[]): readonly Connector[] {
  const announced = connectors.filter(({ id }) => id !== 'injected')
  const isAlone = announced.every(({ id }) => id === 'shop.lampfall.test-wallet')
  return isAlone && typeof window !== 'undefined' && 'ethereum' in window ? connectors : announced
}
