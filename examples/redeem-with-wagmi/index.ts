import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { type Config, watchConnection } from '@wagmi/core'
import { token } from 'redeemkit/evm'
import {
  createRedeemPress,
  prepareRedeemQueryOptions,
  pressRedeemButton,
  type Redeemkit,
  redeem,
  redeemButton,
} from 'redeemkit/wagmi'

/** Makes a button of the page pay 10 dollars for one order. `show` draws what is said beside it. */
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
    show: (shown: redeemButton.ReturnType) => void
  },
): () => void {
  const transactionData = token({ destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  const purchase = { kit, purchaseId: orderId, subtotal: { cents: 1000 }, transactionData }
  const press = createRedeemPress()
  const options = () => prepareRedeemQueryOptions(config, purchase)
  const checks = new QueryObserver(new QueryClient(), options())
  const draw = () => {
    const checked = checks.getCurrentResult()
    const shown = redeemButton(config, { ...purchase, checked, press: press.getState() })
    button.disabled = !shown.canPress
    show(shown) // shown.signing.text, shown.step, shown.userMessage, shown.explorerUrl
  }
  button.onclick = () =>
    pressRedeemButton(config, {
      ...purchase,
      press,
      checked: checks.getCurrentResult(),
      check: () => checks.refetch(),
      run: (variables) => redeem(config, { kit, ...variables }),
    })
  const ends = [
    press.subscribe(draw),
    checks.subscribe(draw),
    watchConnection(config, {
      onChange: (now, before) => {
        if (now.address !== before.address) press.leave() // another account gets nothing of this one
        checks.setOptions(options())
        draw()
      },
    }),
    press.leave,
  ]
  draw()
  return () => {
    for (const end of ends) end()
  }
}
