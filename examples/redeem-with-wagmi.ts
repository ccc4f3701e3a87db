import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { type Config, watchConnection } from '@wagmi/core'
import { token } from 'redeemkit/evm'
import {
  clickRedeemButton,
  createRedeemButton,
  describeRedeemButton,
  prepareRedeemQueryOptions,
  type Redeemkit,
  redeem,
} from 'redeemkit/wagmi'

/** Makes a button pay 10 dollars for one order. `show` renders the texts next to it. */
export function payWith(
  button: HTMLButtonElement,
  {
    config,
    kit,
    orderId,
    show,
  }: {
    config: Config
    kit: Redeemkit
    orderId: string
    show: (view: describeRedeemButton.ReturnType) => void
  },
): () => void {
  const transactionData = token({ destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  const purchase = { kit, purchaseId: orderId, subtotal: { cents: 1000 }, transactionData }
  const redeemButton = createRedeemButton()
  const options = () => prepareRedeemQueryOptions(config, purchase)
  const checks = new QueryObserver(new QueryClient(), options())
  const draw = () => {
    const checked = checks.getCurrentResult()
    const view = describeRedeemButton(config, { ...purchase, checked, state: redeemButton.getState() })
    button.disabled = !view.canClick
    show(view) // view.signing.text, view.step, view.userMessage, view.explorerUrl
  }
  button.onclick = () =>
    clickRedeemButton(config, {
      ...purchase,
      button: redeemButton,
      checked: checks.getCurrentResult(),
      check: () => checks.refetch(),
      run: (variables) => redeem(config, { kit, ...variables }),
    })
  const ends = [
    redeemButton.subscribe(draw),
    checks.subscribe(draw),
    watchConnection(config, {
      onChange: (now, before) => {
        if (now.address !== before.address) redeemButton.reset() // nothing carries over to another account
        checks.setOptions(options())
        draw()
      },
    }),
    redeemButton.reset,
  ]
  draw()
  return () => {
    for (const end of ends) end()
  }
}
