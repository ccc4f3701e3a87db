import * as z from 'zod/mini'
import { threeDsChallengePreference } from './card.ts'
import { cents, currency } from './subtotal.ts'
import { blockchain, dateTimeText, double, freeObject } from './values.ts'
import { owner, verification } from './verification.ts'

const text = z.optional(z.string())
const flag = z.optional(z.boolean())
const number = z.optional(double)
const texts = z.optional(z.array(z.string()))
const amount = z.optional(cents)
const provider = z.optional(
  z.union([z.string(), z.array(z.string())], { error: 'expected a name, or a list of names' }),
)

/** The permissions of a merchant's user or API key (PROTOCOL.md 11.15). */
export const roleScope = z.enum([
  'admin',
  'editor',
  'chargeback',
  'chargeback_analyst',
  'viewer',
  'seller',
  'pos_device',
])
export type RoleScope = z.infer<typeof roleScope>

/** Payout rails, each with its own fee (PROTOCOL.md 11.15). */
export const withdrawRails = [
  'asap',
  'same_day',
  'standard',
  'card',
  'iban',
  'pix',
  'eft',
  'venmo',
  'paypal',
  'wire',
  'interac',
  'swift',
] as const

/** Payment rails with their own velocity limit (PROTOCOL.md 11.15). */
export const velocityRails = [
  'card',
  'ach',
  'pix',
  'iban',
  'crypto',
  'wire',
  'mobileapp',
  'paypal',
  'venmo',
  'apa',
  'interac',
] as const

/** Fee of one payout rail (PROTOCOL.md 11.15). Its amounts are not validated. */
const withdrawFee = z.optional(
  z.strictObject({
    fixed: freeObject,
    variableBps: double,
    minimum: freeObject,
    maximum: z.optional(freeObject),
    limit: z.optional(freeObject),
  }),
)

const withdrawFeeGroup = z.optional(z.strictObject(everyOf(withdrawRails, withdrawFee)))

const fees = z.strictObject({
  firstParty: withdrawFeeGroup,
  business: withdrawFeeGroup,
  user: withdrawFeeGroup,
  swapBps: number,
})

/** Who pays a fee (PROTOCOL.md 11.15). */
export const feeMode = z.enum(['user', 'merchant', 'invoice'])
export type FeeMode = z.infer<typeof feeMode>

/** redeemkit's service has these rules in the card settings, other services have them in the merchant itself. */
const rules = {
  enforceCheckoutJwt: flag,
  externalVerificationLinks: flag,
  whitelistedAncestorUrls: texts,
  banDuplicateAccounts: flag,
}

/** Card settings of a merchant (PROTOCOL.md 11.15). Unknown fields, such as the arguments of one provider, are kept. */
export const cardSettings = z.looseObject({
  customerEmailNotifications: z.boolean(),
  merchantEmailNotifications: z.boolean(),
  avsCheck: z.boolean(),
  enforce3DSWhenProtectionExempt: z.boolean(),
  threeDsChallengePreference,
  /** Any text, as in the next two fields. */
  processor: text,
  applePayProcessor: text,
  googlePayProcessor: text,
  orchestrationRuleId: text,
  creditCardFeeMode: z.optional(feeMode),
  chargebackProtectionFeeMode: z.optional(feeMode),
  gasFeeMode: z.optional(feeMode),
  fxFeeMode: z.optional(feeMode),
  networkFeeMode: z.optional(feeMode),
  fixedFee: amount,
  variableFeeBps: number,
  networkFeeBps: number,
  supportsGooglePay: flag,
  supportsApplePay: flag,
  saveCardDefault: flag,
  ignoreProcessorLimit: flag,
  nameMatchThreshold: number,
  verificationSettings: z.optional(z.looseObject({ threshold3DS: amount, verificationLimit: amount })),
  threshold3DS: amount,
  verificationLimit: amount,
  ...rules,
})
export type CardSettings = z.infer<typeof cardSettings>

/** Velocity limits of a payment rail (PROTOCOL.md 11.15). Unknown fields are kept. */
export const velocitySettings = z.looseObject({
  limitMode: z.optional(z.enum(['default', 'dynamic', 'custom', 'no_limit'])),
  customLimit: number,
  haltOnThreshold: flag,
  lastHaltNotificationSentAt: z.optional(dateTimeText),
  lastSettlementPausedNotificationSentAt: z.optional(dateTimeText),
})
export type VelocitySettings = z.infer<typeof velocitySettings>

const goLiveChecklist = z.strictObject({
  acceptedToS: flag,
  onboardingFormSubmitted: flag,
  applicationSubmitted: flag,
  applicationSubmittedAt: z.optional(dateTimeText),
  lockIndustry: flag,
  programWhitelistRequests: z.optional(
    z.array(
      z.strictObject({
        programId: z.string(),
        blockchain,
        status: z.enum(['approved', 'pending', 'rejected']),
      }),
    ),
  ),
  rfis: z.optional(
    z.array(
      z.strictObject({
        name: z.string(),
        status: z.enum(['pending', 'completed']),
        url: text,
        assignmentFormId: text,
      }),
    ),
  ),
})

const users = z.array(
  z.strictObject({
    email: z.string(),
    scope: roleScope,
    password: text,
    secret: text,
    resetNonce: text,
    resetNonceUsed: flag,
    ssoProvider: z.optional(z.literal('google')),
    ssoId: text,
  }),
)

const rollingReserve = z.strictObject({
  status: z.enum(['Disabled', 'Active', 'SweepFixed']),
  rollingBps: number,
  rollingDuration: number,
  notes: text,
})

const blocked = z.strictObject({
  level: z.enum(['Unverified', 'Suspended']),
  reason: text,
  editor: text,
  blockedAt: z.optional(dateTimeText),
  recoverySignature: text,
})

const anyMerchant = z.looseObject({
  _id: z.string(),
  merchantId: z.string(),
  withdrawFees: z.optional(fees),
  wallets: z.optional(
    z.strictObject({
      stellar: z.optional(z.strictObject({ usdcPayer: text })),
      evm: z.optional(z.strictObject({ usdcPayer: text, feePayer: text })),
      solana: z.optional(z.strictObject({ usdcPayer: text, feePayer: text })),
    }),
  ),
  apiKey: text,
  apiKeys: z.optional(
    z.array(
      z.strictObject({
        ips: z.array(z.string()),
        privateUuid: z.string(),
        publicUuid: z.string(),
        scope: z.optional(roleScope),
        disabled: flag,
      }),
    ),
  ),
  kycType: z.optional(z.enum(['person', 'business', 'both'])),
  settlementToken: z.optional(z.enum(['USDC', 'SBC', 'EUROe', 'FXUSD', 'HSUSD', 'CFUSD', 'YPUSD'])),
  users: z.optional(users),
  verification: z.optional(verification),
  ubos: z.optional(z.array(owner)),
  goLiveChecklist: z.optional(goLiveChecklist),
  cardSettings: z.optional(cardSettings),
  fxFees: z.optional(z.partialRecord(currency, double)),
  blocked: z.optional(blocked),
  velocitySettings: z.optional(velocitySettings),
  velocitySettingsByRail: z.optional(z.strictObject(everyOf(velocityRails, z.optional(velocitySettings)))),
  vendorSettings: z.optional(freeObject),
  bankSettlementOptions: z.optional(
    z.strictObject({ token: text, minRemainingBalance: amount, useWire: flag }),
  ),
  reserveSettings: z.optional(rollingReserve),
  globalRateLimit: number,
  banProxiesForCheckoutEndpoints: flag,
  riskControls: z.optional(
    z.strictObject({
      topup: z.optional(z.strictObject({ minAmountCents: number, maxAmountCents: number })),
    }),
  ),
  chargebackFeeCents: number,
  chargebackEmails: texts,
  fraudEmails: texts,
  /** Unknown fields, such as credentials of the provider's link, are kept. */
  linkedBankAccount: z.optional(
    z.looseObject({
      routingNumber: text,
      accountNumber: text,
      accountType: z.optional(z.enum(['checking', 'savings'])),
      institutionName: text,
    }),
  ),
  customerDefaultOverrideLimit: amount,
  customerOverrideLimitCeiling: amount,
  customerDefaultExposureLimit: amount,
  dailyExposureLimit: amount,
  monthlyExposureLimit: amount,
  sendExposureCapSlackAlerts: flag,
  mcc: text,
  processing: z.optional(z.strictObject({ msaSigned: flag, statementsOnFile: flag })),
  useSubsidiaryAccounts: flag,
  allowAttestedKyc: flag,
  attestedKycSsnNotRequired: flag,
  allowAccountSharing: flag,
  enforceLivenessKyc: flag,
  kycMinAge: number,
  canCreateBankAccounts: flag,
  sendPresettleWebhooks: flag,
  ssoSettings: z.optional(z.strictObject({ requireSso: flag })),
  ...rules,
  /** The payout provider of each rail. Any text. */
  bankPayoutProvider: provider,
  wirePayoutProvider: provider,
  rtpPayoutProvider: provider,
  ibanPayoutProvider: provider,
  eftPayoutProvider: provider,
  pixPayoutProvider: provider,
  paypalPayoutProvider: provider,
  venmoPayoutProvider: provider,
  /** The payout provider for cards. */
  p2cPayoutProvider: provider,
})
type AnyMerchant = typeof anyMerchant
/** A named type, so that the TypeScript declaration of a withdrawer does not repeat the whole merchant. */
export interface MerchantSchema extends AnyMerchant {}

/**
 * The merchant of a withdrawer (PROTOCOL.md 11.15). A service omits the fields that the caller may not see. Unknown fields are kept.
 */
export const merchant: MerchantSchema = anyMerchant
export type Merchant = z.infer<typeof merchant>

// @__NO_SIDE_EFFECTS__
function everyOf<const name extends string, schema extends z.core.$ZodType>(
  names: readonly name[],
  schema: schema,
): { [key in name]: schema } {
  // The type of `fromEntries` does not have the names.
  return Object.fromEntries(names.map((name) => [name, schema])) as { [key in name]: schema }
}
