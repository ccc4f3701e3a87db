import { type Config, type Connector, getConnection } from '@wagmi/core'
import type { redeem } from './actions/redeem.ts'
import type { RedeemButton } from './createRedeemButton.ts'
import { describeRedeemButton, purchaseOf } from './describeRedeemButton.ts'
import { loadEngine } from './engine/loadEngine.ts'

/**
 * Handles a click on a redeem button. Depending on the button's step it switches the chain, checks again, redeems, resumes an open redeem,
 * opens the second prompt, or submits again immediately. While another action is running, a click does nothing.
 *
 * In step `ready`, the wallet opens without a network request or a timer before it: phones open another app only directly after a click.
 *
 * @param parameters.run redeems: the `mutateAsync` of `redeemMutationOptions`
 * @param parameters.check checks again: the `refetch` of `prepareRedeemQueryOptions`
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { clickRedeemButton, createRedeemButton, redeem, type Redeemkit } from 'redeemkit/wagmi'
 * const button = createRedeemButton()
 * const onClick = (config: Config, kit: Redeemkit, checked: clickRedeemButton.Parameters['checked'], check: () => void) =>
 *   clickRedeemButton(config, {
 *     kit,
 *     button,
 *     checked,
 *     check,
 *     run: (variables) => redeem(config, { kit, ...variables }),
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 * ```
 */
export function clickRedeemButton(config: Config, parameters: clickRedeemButton.Parameters): void {
  const { button, checked, check, run, secondClick = 'auto', ...request } = parameters
  const { purchase, chainId } = purchaseOf(config, request)
  // Computes the view again, because the check may have expired since the button was rendered.
  const { step } = describeRedeemButton(config, { ...request, checked, state: button.getState() })
  const { connector } = getConnection(config)
  if (step === 'secondClick') button.confirmSecondPrompt()
  else if (step === 'stillWaiting') button.getState().sendNow?.()
  else if (step === 'failed' || (step === 'checking' && button.getState().status !== 'running')) check()
  else if (step === 'wrongChain')
    button.switchChain({
      purchase,
      run: async (signal) => {
        const { switchWallet } = await loadEngine()
        // The switch may have been canceled while the engine was loaded.
        if (!signal.aborted) await switchWallet(config, { chainId, connector })
      },
    })
  else if (step === 'ready' || step === 'open') {
    const { kit: _, ...variables } = request
    const ready = step === 'ready' ? checked.data : undefined
    button.redeem({
      purchase,
      secondClick: secondClick === 'auto' ? isMobileWalletApp(connector) : secondClick,
      run: (control) => run({ ...variables, chainId, ready, ...control }),
    })
  }
}

export declare namespace clickRedeemButton {
  type Parameters = Omit<describeRedeemButton.Parameters, 'state'> & {
    button: RedeemButton
    run: (variables: Omit<redeem.Parameters, 'kit'>) => Promise<redeem.ReturnType>
    check: () => unknown
    /**
     * Whether the second of two prompts waits for a second click. Default `auto`: only when the wallet is another app on a phone, because
     * phones open another app only directly after a click.
     */
    secondClick?: boolean | 'auto' | undefined
  }
  type ErrorType = describeRedeemButton.ErrorType
}

/** Returns whether the wallet is a separate app on a phone, and not part of this page's browser. */
function isMobileWalletApp(connector: Connector | undefined): boolean {
  const { userAgent = '' } = globalThis.navigator ?? {}
  return /android|iphone|ipad|mobile/i.test(userAgent) && connector?.type !== 'injected'
}
