import type { Config } from '@wagmi/core'
import { usdcAuthorizationMessage } from '../../api/endpoints/browser/usdcAuthorizationMessage.ts'
import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import { hasCode } from '../../evm/client/readChain.ts'
import { parseUsdcAuthorizationMessage } from '../../evm/usdcAuthorization/parseUsdcAuthorizationMessage.ts'
import { signUsdcAuthorization as sign } from '../../evm/usdcAuthorization/signUsdcAuthorization.ts'
import { signedToV1, type V1NotPossibleError } from '../../evm/usdcAuthorization/toUsdcAuthorizationV1.ts'
import { signedToV2 } from '../../evm/usdcAuthorization/toUsdcAuthorizationV2.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { same } from '../../redeem/check/sameFields.ts'
import { PinsRequiredError } from '../../redeem/errors.ts'
import type {
  UsdcAuthorizationBody,
  UsdcAuthorizationV1,
  UsdcAuthorizationV2,
} from '../../schema/usdcAuthorization.ts'
import { clientOf } from '../kit/clientOf.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { connectionOf } from './connectionOf.ts'
import { signerOf } from './signerOf.ts'

/**
 * Asks the connected wallet for the USDC authorization of a checkout that is paid partly in USDC. The service's text is compared before: it
 * has to move exactly this amount of the chain's own USDC, from this wallet, to the `settlementContract` that the kit pins.
 *
 * @param parameters.amount US cents
 * @returns the field of the checkout body: V1 for a key-held account, V2 for one with code, and for bytes that no key makes
 * @throws PinsRequiredError without a pinned `settlementContract`; PreparedMismatchError for a text that says something else; the errors of
 * `usdcAuthorizationMessage`, `parseUsdcAuthorizationMessage` and `signUsdcAuthorization`
 * @see PROTOCOL.md 2.3, 5, 10.2
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, signUsdcAuthorization } from 'redeemkit/wagmi'
 * const pay4Usd = (config: Config, kit: Redeemkit) => signUsdcAuthorization(config, { kit, amount: { cents: 400 } })
 * ```
 */
export async function signUsdcAuthorization(
  config: Config,
  parameters: signUsdcAuthorization.Parameters,
): Promise<signUsdcAuthorization.ReturnType> {
  const { kit, amount, paymentId, signal } = parameters
  const { wallet, connector, chainId, settlementContract } = connectionOf(config, parameters)
  if (settlementContract === undefined)
    throw new PinsRequiredError(`No contract is pinned that settles payments on chain ${chainId}.`, {
      field: 'settlementContract',
      fix: 'Give settlementContract among the pins of that chain, from your own configuration and never from the service.',
    })
  const to = checkAddress(settlementContract, 'settlementContract')
  const body = { amount, ...(paymentId !== undefined && { paymentId }) }
  const { message } = await usdcAuthorizationMessage(clientOf(kit, { wallet, chainId }), body, { signal })
  const { domain, type, authorization } = parseUsdcAuthorizationMessage(message)
  same('domain.chainId', BigInt(chainId), BigInt(domain.chainId))
  same('message.from', wallet, authorization.from)
  same('message.to', to, authorization.to)
  same('message.value', centsToAmount(amount.cents, { field: 'amount.cents' }), authorization.value)
  const client = config.getClient({ chainId })
  const [signer, deployed] = await Promise.all([
    signerOf({ connector, wallet, chainId }),
    hasCode(client, wallet),
  ])
  const { now } = kit.client
  const signature = await sign(signer, { chainId, type, authorization, client, now })
  const signed = { authorization, signature }
  return !deployed && signature.length === 132
    ? { customerUsdcTransferData: signedToV1(signed) }
    : { customerUsdcTransferDataV2: signedToV2(signed, { hasCode: deployed }) }
}

export declare namespace signUsdcAuthorization {
  type Parameters = UsdcAuthorizationBody & {
    kit: Redeemkit
    /** Default: the wallet's chain where it is pinned, else the first pinned. */
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType =
    | { customerUsdcTransferData: UsdcAuthorizationV1; customerUsdcTransferDataV2?: undefined }
    | { customerUsdcTransferDataV2: UsdcAuthorizationV2; customerUsdcTransferData?: undefined }
  type ErrorType =
    | connectionOf.ErrorType
    | clientOf.ErrorType
    | signerOf.ErrorType
    | usdcAuthorizationMessage.ErrorType
    | parseUsdcAuthorizationMessage.ErrorType
    | sign.ErrorType
    | same.ErrorType
    | PinsRequiredError
    | V1NotPossibleError
}
