import { type InspectPins, inspect } from 'redeemkit/evm'
import { type Address, getAddress, isAddress } from 'viem'
import { AskError, type Pin } from '../messages.ts'

// #region context
/** Converts pins to the form that `inspect` takes. */
export function contextPins(pins: readonly Pin[], chainId: number): InspectPins[] {
  return pins
    .filter((pin) => pin.chainId === chainId)
    .map((pin) => {
      const { merchantId, receivers, origins, name } = pin
      return { ...redeemPinsOf(pin), merchantId, receivers, origins, name }
    })
}

/** Converts a pin to the form that the toolkit's client takes. */
export function redeemPinsOf({ creditsContract, creditSeed, chainId, maxGasFeeCents }: Pin) {
  return { creditsContract, creditSeed, chainId, maxGasFeeCents }
}
// #endregion

/**
 * @throws AskError `invalidPin` with the field
 */
export function readPin(pin: Omit<Pin, 'id'> & { id?: string | undefined }): Pin {
  const text = (field: 'name' | 'creditSeed' | 'merchantId', most: number) => {
    const value = String(pin[field] ?? '').trim()
    return value.length > 0 && value.length <= most ? value : invalid(field)
  }
  const { id = crypto.randomUUID(), chainId, maxGasFeeCents } = pin
  const read: Pin = {
    id,
    name: text('name', 60),
    origins: pin.origins.map((origin) => (isOrigin(origin) ? origin : invalid('origins'))),
    chainId: Number.isSafeInteger(chainId) && chainId > 0 ? chainId : invalid('chainId'),
    creditsContract: addressOf(pin.creditsContract, 'creditsContract'),
    creditSeed: text('creditSeed', 200),
    merchantId: text('merchantId', 200),
    serviceUrl:
      pin.serviceUrl === undefined || isHttpUrl(pin.serviceUrl) ? pin.serviceUrl : invalid('serviceUrl'),
    receivers: pin.receivers.map((receiver) => addressOf(receiver, 'receivers')),
    maxGasFeeCents:
      Number.isSafeInteger(maxGasFeeCents) && maxGasFeeCents >= 0 && maxGasFeeCents <= 10_000
        ? maxGasFeeCents
        : invalid('maxGasFeeCents'),
  }
  // If `inspect` cannot read one pin, it refuses every request.
  const [found] = inspect({ method: '' }, { pinned: contextPins([read], chainId) }).findings
  return found?.code === 'INVALID_EXPECTATION' ? invalid(`${found.field?.split('.').at(-1)}`) : read
}

function addressOf(value: string, field: string): Address {
  return isAddress(value) ? getAddress(value) : invalid(field)
}

const isOrigin = (value: string) => value !== 'null' && URL.canParse(value) && new URL(value).origin === value

/** Whether a URL uses https, or http on this machine. */
function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname))
}

function invalid(field: string): never {
  throw new AskError('invalidPin', `The field ${field} is invalid.`, field)
}
