import * as installed from '@stellar/stellar-sdk'
import { checkSdk, isLaterXdr, toView, viewNamespace } from './adaptSdk.ts'

/**
 * All imports from `@stellar/stellar-sdk`, with the API of the oldest supported release. For later releases, the
 * exports are views of the SDK's values (`adaptSdk.ts`). Import types from the SDK directly, except those of the
 * classes below.
 */

// Throws for an unsupported SDK when this module loads, before any value of the SDK is used.
checkSdk(installed.xdr)

const isLater = isLaterXdr(installed.xdr)

/** Adapts a value of the installed SDK, such as an RPC client that a caller passed. */
export function fromSdk<value>(value: value): value {
  return isLater ? toView(value) : value
}

export const Account = /* @__PURE__ */ fromSdk(installed.Account)
export type Account = installed.Account

export const Address = /* @__PURE__ */ fromSdk(installed.Address)
export type Address = installed.Address

export const Asset = /* @__PURE__ */ fromSdk(installed.Asset)
export type Asset = installed.Asset

export const Contract = /* @__PURE__ */ fromSdk(installed.Contract)
export type Contract = installed.Contract

export const FeeBumpTransaction = /* @__PURE__ */ fromSdk(installed.FeeBumpTransaction)
export type FeeBumpTransaction = installed.FeeBumpTransaction

export const Keypair = /* @__PURE__ */ fromSdk(installed.Keypair)
export type Keypair = installed.Keypair

export const Memo = /* @__PURE__ */ fromSdk(installed.Memo)
export type Memo = installed.Memo

export const Operation = /* @__PURE__ */ fromSdk(installed.Operation)
export type Operation = installed.Operation

export const SorobanDataBuilder = /* @__PURE__ */ fromSdk(installed.SorobanDataBuilder)
export type SorobanDataBuilder = installed.SorobanDataBuilder

export const StrKey = /* @__PURE__ */ fromSdk(installed.StrKey)

export const Transaction = /* @__PURE__ */ fromSdk(installed.Transaction)
export type Transaction = installed.Transaction

export const TransactionBuilder = /* @__PURE__ */ fromSdk(installed.TransactionBuilder)
export type TransactionBuilder = installed.TransactionBuilder
export const authorizeEntry = /* @__PURE__ */ fromSdk(installed.authorizeEntry)
export const encodeMuxedAccountToAddress = /* @__PURE__ */ fromSdk(installed.encodeMuxedAccountToAddress)
export const extractBaseAddress = /* @__PURE__ */ fromSdk(installed.extractBaseAddress)
export const hash = /* @__PURE__ */ fromSdk(installed.hash)
export const nativeToScVal = /* @__PURE__ */ fromSdk(installed.nativeToScVal)
export const rpc = /* @__PURE__ */ fromSdk(installed.rpc)
export const scValToBigInt = /* @__PURE__ */ fromSdk(installed.scValToBigInt)
export const scValToNative = /* @__PURE__ */ fromSdk(installed.scValToNative)
export const xdr = /* @__PURE__ */ isLater ? viewNamespace(installed.xdr) : installed.xdr
