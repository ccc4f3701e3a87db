import { type Config, type Connector, getConnection } from '@wagmi/core'
import type { redeem } from '../actions/redeem.ts'
import type { RedeemPress } from './createRedeemButton.ts'
import { purchaseOf, redeemButton } from './describeRedeemButton.ts'
import { switchWallet } from './switchWallet.ts'

/**
 * Does what a press of a redeem button is for, by where it stands: switches the chain, checks again, redeems, goes on with what is open, or
 * lets the second prompt come. A press that comes while something is under way does nothing.
 *
 * Where it is `ready` the wallet is asked without a request to any network, and without waiting for a timer.
 *
 * @param parameters.run what redeems: the `mutateAsync` of `redeemMutationOptions`
 * @param parameters.check what checks again: the `refetch` of `prepareRedeemQueryOptions`
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { createRedeemPress, pressRedeemButton, redeem, type Redeemkit } from 'redeemkit/wagmi'
 * const press = createRedeemPress()
 * const onPress = (config: Config, kit: Redeemkit, checked: pressRedeemButton.Parameters['checked'], check: () => void) =>
 *   pressRedeemButton(config, {
 *     kit,
 *     press,
 *     checked,
 *     check,
 *     run: (variables) => redeem(config, { kit, ...variables }),
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 * ```
 */
export function pressRedeemButton(config: Config, parameters: pressRedeemButton.Parameters): void {
  const { press, checked, check, run, secondPress = 'auto', ...request } = parameters
  const { purchase, chainId } = purchaseOf(config, request)
  // As it stands at this moment: what was ready when it was drawn may be too old by now.
  const { step } = redeemButton(config, { ...request, checked, press: press.getState() })
  const { connector } = getConnection(config)
  if (step === 'secondPress') press.goOn()
  else if (step === 'failed' || (step === 'checking' && press.getState().status !== 'running')) check()
  else if (step === 'wrongChain')
    press.switchChain({ purchase, run: () => switchWallet(config, { chainId, connector }) })
  else if (step === 'ready' || step === 'open') {
    const { kit: _, ...variables } = request
    const ready = step === 'ready' ? checked.data : undefined
    press.redeem({
      purchase,
      secondPress: secondPress === 'auto' ? isElsewhere(connector) : secondPress,
      run: (control) => run({ ...variables, chainId, ready, ...control }),
    })
  }
}

export declare namespace pressRedeemButton {
  type Parameters = Omit<redeemButton.Parameters, 'press'> & {
    press: RedeemPress
    run: (variables: Omit<redeem.Parameters, 'kit'>) => Promise<redeem.ReturnType>
    check: () => unknown
    /**
     * Whether the second of two prompts waits for a second press. Default `auto`: on a phone whose wallet is another app, because a
     * phone opens that directly after a press only.
     */
    secondPress?: boolean | 'auto' | undefined
  }
  type ErrorType = redeemButton.ErrorType
}

/** Whether the wallet is another app on a phone, and not in this page's own browser. */
function isElsewhere(connector: Connector | undefined): boolean {
  const { userAgent = '' } = globalThis.navigator ?? {}
  return /android|iphone|ipad|mobile/i.test(userAgent) && connector?.type !== 'injected'
}
