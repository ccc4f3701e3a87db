import {
  type Config,
  type Connector,
  connect,
  disconnect,
  getConnection,
  getConnectors,
  reconnect,
  watchConnection,
  watchConnectors,
} from '@wagmi/core'
import { userMessage } from 'redeemkit'

/**
 * Shows a button for each wallet of this browser or, once one is connected, its account.
 *
 * @returns a function that stops the updates
 */
export function showWallets(place: HTMLElement, config: Config): () => void {
  let problem: string | undefined
  const attempt = async (work: () => Promise<unknown>) => {
    problem = undefined
    try {
      await work()
    } catch (error) {
      problem = userMessage(error, { about: 'other' }) // no payment was involved
    }
    draw()
  }
  const draw = () => {
    const { address, connector, status } = getConnection(config)
    const children =
      address !== undefined
        ? [
            textOf(`${connector?.name}: ${address.slice(0, 6)}…${address.slice(-4)}`),
            buttonOf('Disconnect', () => attempt(() => disconnect(config))),
          ]
        : status === 'reconnecting'
          ? [textOf('Connecting…')]
          : walletsOf(config).map((wallet) =>
              buttonOf(wallet.name, () => attempt(() => connect(config, { connector: wallet }))),
            )
    if (children.length === 0) children.push(textOf('No wallet was found in this browser.'))
    if (problem !== undefined) children.push(textOf(problem))
    place.replaceChildren(...children)
  }
  const ends = [
    watchConnection(config, { onChange: draw }), // Runs when a wallet connects, switches its account, or disconnects.
    // A wallet may announce itself after the page was loaded.
    watchConnectors(config, { onChange: () => (isConnected(config) ? draw() : reconnect(config)) }),
  ]
  draw()
  void reconnect(config) // connects a wallet that allowed this page before, without a prompt
  return () => {
    for (const end of ends) end()
  }
}

const isConnected = (config: Config) => getConnection(config).address !== undefined

/** Wallets that announce themselves (EIP-6963), or `window.ethereum` if none does. */
function walletsOf(config: Config): readonly Connector[] {
  const announced = getConnectors(config).filter(({ id }) => id !== 'injected')
  if (announced.length > 0 || !('ethereum' in window)) return announced
  return getConnectors(config)
}

function textOf(text: string): HTMLElement {
  return Object.assign(document.createElement('p'), { textContent: text })
}

function buttonOf(text: string, onclick: () => void): HTMLElement {
  return Object.assign(document.createElement('button'), { type: 'button', textContent: text, onclick })
}
