import type { Currency } from '../../../../redeemkit/schema/currency.ts'

/**
 * Units of each currency for one US dollar, as decimal text. Simulated and fixed: the sandbox's own figures, near those of 2025,
 * so that a test finds tomorrow what it finds today. Other currencies are refused.
 */
export const sandboxRates = {
  USD: '1',
  AED: '3.67',
  ARS: '1000',
  AUD: '1.5',
  BRL: '5.4',
  CAD: '1.4',
  CHF: '0.8',
  CLP: '950',
  CNY: '7.2',
  COP: '4000',
  CZK: '22',
  DKK: '6.5',
  EUR: '0.9',
  GBP: '0.75',
  HKD: '7.8',
  IDR: '16000',
  ILS: '3.5',
  INR: '85',
  JPY: '150',
  KES: '130',
  KRW: '1400',
  MXN: '19',
  MYR: '4.3',
  NGN: '1500',
  NOK: '10',
  NZD: '1.7',
  PEN: '3.7',
  PHP: '57',
  PLN: '3.8',
  SAR: '3.75',
  SEK: '9.6',
  SGD: '1.3',
  THB: '33',
  TRY: '40',
  TWD: '31',
  VND: '26000',
  ZAR: '18',
} as const satisfies Partial<Record<Currency, string>>

/** A currency that the sandbox has a rate for. */
export type RatedCurrency = keyof typeof sandboxRates
