import * as z from 'zod/mini'
import { anyAddress, filledText, wholeCents } from '../../../redeemkit/schema/values.ts'
import { transferBlockchains } from '../../store/states.ts'

const base64 = z
  .string()
  .check(z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'expected base64'))
  .check(z.minLength(4, 'expected base64'))

/** Body of `POST /sandbox/usdc-transfer`. */
export const usdcTransferBody = z.strictObject({
  blockchain: z.enum(transferBlockchains),
  /** The receiving wallet; on Stellar also a contract. */
  destination: anyAddress,
  amount: z.strictObject({ cents: wholeCents }),
  /** Becomes the memo; on Stellar at most 28 bytes. Each payment of a wallet is paid once. */
  paymentId: z.optional(filledText),
  /** Stellar only: the merchant contract that is called, and that passes the amount to `destination`. */
  call: z.optional(
    z.strictObject({
      contract: anyAddress,
      functionName: z.string().check(z.regex(/^[A-Za-z0-9_]{1,32}$/, 'expected the name of a function')),
      /** Base64 XDR of each argument (`ScVal`). */
      args: z.array(base64).check(z.maxLength(32, 'expected at most 32 arguments')),
    }),
  ),
})

/** Body of `POST /sandbox/usdc-transfer/submit`. */
export const usdcTransferSubmitBody = z.strictObject({
  /** As answered. */
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'expected the id of a prepared transfer')),
  /** The transaction with the customer's signature, base64. */
  transaction: base64,
})
