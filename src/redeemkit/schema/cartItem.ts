import * as z from 'zod/mini'
import { oneOf } from './oneOf.ts'
import {
  country,
  dateOrYearText,
  dateText,
  decimalText,
  double,
  filledText,
  freeObject,
  type SchemaOf,
  safeUint,
} from './values.ts'

/** The product types of a base item (PROTOCOL.md 11.9). */
// biome-ignore format: one name per line would take 36 lines
export const productTypes = [
  'inGameProduct', 'gameOfSkill', 'dataStorage', 'computingResources', 'sportsTicket', 'eSportsTicket',
  'musicTicket', 'conferenceTicket', 'virtualSportsTicket', 'virtualESportsTicket', 'virtualMusicTicket',
  'virtualConferenceTicket', 'alcohol', 'DLC', 'subscription', 'fundACause', 'realEstate',
  'computingContract', 'digitalArt', 'topUp', 'ownershipContract', 'inGameCurrency', 'digitalCollectibles',
  'digitalCollectiblesMarketplace', 'digitalGiftingMarketplace', 'sweepstakes', 'virtualSportsEvents',
  'contractInvoicing', 'onlineCasino', 'cryptoOnramp', 'gaming', 'travelDocuments', 'musicStreaming',
  'digitalContent', 'eBooks', 'digitalSubscriptionContent',
] as const

const text = z.optional(z.string())
const flag = z.optional(z.boolean())
const count = (least: number) => safeUint.check(z.gte(least, `expected a whole number of at least ${least}`))
const price = z.strictObject({ currency: z.string(), valueInCurrency: double })

const seller = z.strictObject({
  id: text,
  email: z.nullish(z.string()),
  firstName: text,
  lastName: text,
  dob: z.optional(dateOrYearText),
  rawSellerData: z.optional(freeObject),
})

const recipientInfo = z.strictObject({
  accountId: text,
  dob: z.optional(dateOrYearText),
  email: z.nullish(z.string()),
  firstName: text,
  lastName: text,
  gender: text,
  message: text,
  phoneInfo: z.optional(
    z.strictObject({
      countryCode: filledText,
      phone: z.string().check(z.regex(/^\d+$/, 'expected digits only')),
      carrier: text,
    }),
  ),
  shippingAddress: z.optional(
    z.strictObject({ country: z.optional(country), state: text, city: text, street: text, postalCode: text }),
  ),
  wallet: z.optional(
    z.strictObject({
      custodialType: z.optional(z.enum(['custodial', 'nonCustodial', 'unknown'])),
      blockchain: text,
      address: text,
    }),
  ),
})

const common = { id: text, rawProductData: z.optional(freeObject), recipientInfo: z.optional(recipientInfo) }
const delay = z.optional(double.check(z.nonnegative('expected a number of hours that is not negative')))
const quantity = double.check(z.nonnegative('expected a quantity that is not negative'))

/** An item without `itemClass` (PROTOCOL.md 11.9). */
export const baseItem = z.strictObject({
  productName: filledText,
  productType: z.enum(productTypes),
  quantity,
  listPrice: z.optional(z.strictObject({ currency: text, valueInCurrency: z.optional(double) })),
  rawProductData: z.optional(freeObject),
  seller: z.optional(seller),
  transactionHistory: z.optional(
    z.array(
      z.strictObject({
        txType: z.string(),
        chain: z.string(),
        paymentAmount: z.string(),
        paymentToken: z.string(),
        to: z.string(),
        from: z.string(),
        registryContract: z.string(),
        assetID: z.string(),
        txTime: z.string(),
        txHash: z.string(),
        blockNumber: double,
      }),
    ),
  ),
})
export type BaseItem = z.infer<typeof baseItem>

/** An item of class `giftCard` (PROTOCOL.md 11.9). */
export const giftCardItem = z.strictObject({
  ...common,
  itemClass: z.literal('giftCard'),
  productType: z.optional(z.literal('giftCard')),
  sellingPrice: price,
  quantity,
  id: filledText,
  itemFulfillment: z.enum(['digital', 'physical']),
  brand: text,
  seller: z.optional(seller),
  sku: text,
  categories: z.optional(z.array(z.string())),
  isGift: flag,
  expectedDeliveryDelay: delay,
  isPresetAmount: flag,
})
export type GiftCardItem = z.infer<typeof giftCardItem>

/** An item of class `crypto` (PROTOCOL.md 11.9). */
export const cryptoItem = z.strictObject({
  ...common,
  itemClass: z.literal('crypto'),
  /** Number of coins, as decimal text. */
  units: decimalText,
  cryptoCurrency: z.string().check(z.regex(/^[A-Z0-9-]+$/, 'expected a symbol in capital letters')),
  unitPrice: z.strictObject({
    currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'expected a currency as three capital letters')),
    valueInCurrency: double,
  }),
  recipientInfo,
  expectedDeliveryDelay: delay,
  seller: z.optional(seller),
})
export type CryptoItem = z.infer<typeof cryptoItem>

/** An item of class `moneyTopUp` (PROTOCOL.md 11.9). */
export const moneyTopUpItem = z.strictObject({
  ...common,
  itemClass: z.literal('moneyTopUp'),
  sellingPrice: price,
  topUpAmount: price,
  quantity,
  isPresetAmount: z.boolean(),
})
export type MoneyTopUpItem = z.infer<typeof moneyTopUpItem>

/** An item of class `travel` (PROTOCOL.md 11.9). Keeps unknown fields, because the protocol does not list all fields of a travel item. */
export const travelItem = z.looseObject({
  ...common,
  itemClass: z.literal('travel'),
  sellingPrice: price,
  listPrice: z.optional(price),
  lodging: z.optional(
    z.looseObject({
      reservationId: text,
      nights: z.optional(count(1)),
      checkInDate: z.optional(dateText),
      checkInHour: z.optional(
        z.string().check(z.regex(/^(?:[01]\d|2[0-3])$/, 'expected an hour from "00" to "23"')),
      ),
      hotel: z.optional(z.looseObject({ name: text, country: z.optional(country), city: text })),
      wereExtrasPurchased: flag,
      isRefundable: flag,
      highestRoomType: text,
      numberOfRooms: z.optional(count(1)),
      numberOfGuests: z.optional(count(1)),
      numberOfKids: z.optional(count(0)),
    }),
  ),
  pnr: text,
  numberOfFlights: z.optional(count(1)),
  numberOfCheckedBags: z.optional(count(0)),
  firstWayDestination: z.optional(
    z.string().check(z.regex(/^[A-Z]{3}$/, 'expected an airport as three capital letters')),
  ),
  isRoundTrip: flag,
  highestClass: z.optional(z.enum(['economy', 'luxurious'])),
  isFlexibleTicket: flag,
  wereExtrasPurchased: flag,
  firstFlight: z.optional(
    z.looseObject({
      numberOfTravelers: z.optional(count(1)),
      /** Milliseconds since 1970. */
      departureTime: z.optional(safeUint),
      departureAirport: text,
      /** Duration in hours. */
      duration: delay,
      flightNumber: text,
    }),
  ),
})
export type TravelItem = z.infer<typeof travelItem>

const itemClasses = ['giftCard', 'crypto', 'moneyTopUp', 'travel'] as const

export type CartItem = BaseItem | GiftCardItem | CryptoItem | MoneyTopUpItem | TravelItem

/** A cart item for chargeback protection (PROTOCOL.md 11.9). `itemClass` names its class; an item without `itemClass` is a base item. */
export const cartItem: SchemaOf<CartItem> = oneOf(
  {
    giftCard: giftCardItem,
    crypto: cryptoItem,
    moneyTopUp: moneyTopUpItem,
    travel: travelItem,
    base: baseItem,
  },
  {
    pick: ({ itemClass }) =>
      itemClass === undefined ? 'base' : itemClasses.find((known) => known === itemClass),
    by: 'itemClass',
    values: itemClasses,
  },
)

/** `chargebackProtectionData`: the cart (PROTOCOL.md 11.9). */
export const chargebackProtectionData = z.array(cartItem)
export type ChargebackProtectionData = z.infer<typeof chargebackProtectionData>
