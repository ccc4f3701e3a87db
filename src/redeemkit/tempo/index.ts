export {
  InvalidOptionError,
  InvalidSignatureError,
  InvalidTransactionError,
} from '../core/errors/inputErrors.ts'
export { RefusedTransactionError } from '../core/errors/transactionErrors.ts'
export {
  UserRejectedError,
  WalletFailedError,
  WalletRequestPendingError,
  WrongSignatureError,
} from '../core/errors/walletErrors.ts'
export { tempoChainIds } from '../core/evmNetworks.ts'
export { isTempoChain } from '../evm/isTempoChain.ts'
export type { TempoMovement } from './calls/tempoMovement.ts'
export { inspect } from './inspect/inspect.ts'
export { type TempoHardfork, tempoBaseFee, tempoHardforks } from './network/tempoHardforks.ts'
export { type TempoToken, tempoTokens } from './network/tempoTokens.ts'
export {
  classifyTempoSignature,
  type TempoKeyClass,
  type TempoSignatureClass,
} from './signature/classifyTempoSignature.ts'
export { keychainDigest } from './signature/keychainDigest.ts'
export { type ClientData, InvalidClientDataError, parseClientData } from './signature/parseClientData.ts'
export { parseTempoSignature } from './signature/parseTempoSignature.ts'
export { serializeTempoSignature } from './signature/serializeTempoSignature.ts'
export type { TempoPrimitiveSignature, TempoSignature } from './signature/tempoSignature.ts'
export { accessKeySigner } from './signer/accessKeySigner.ts'
export { type PasskeyAssertion, passkeySigner } from './signer/passkeySigner.ts'
export type { TempoSigner } from './signer/tempoSigner.ts'
export { InvalidKeyPairError, type WebCryptoKey, webCryptoSigner } from './signer/webCryptoSigner.ts'
export { tempoContracts } from './tempoContracts.ts'
export { buildTempoTransaction } from './transaction/buildTempoTransaction.ts'
export { hashTempoFeePayer } from './transaction/hashTempoFeePayer.ts'
export { hashTempoTransaction } from './transaction/hashTempoTransaction.ts'
export { inspectTempoTransaction } from './transaction/inspectTempoTransaction.ts'
export type { TempoTransactionDetails } from './transaction/judgeTempoTransaction.ts'
export { parseTempoTransaction } from './transaction/parseTempoTransaction.ts'
export { serializeTempoTransaction } from './transaction/serializeTempoTransaction.ts'
export { signTempoTransaction } from './transaction/signTempoTransaction.ts'
export { sponsorTempoTransaction } from './transaction/sponsorTempoTransaction.ts'
export type { TempoCall, TempoTransaction } from './transaction/tempoTransaction.ts'
export type { TempoTransactionExpectation } from './transaction/tempoTransactionExpectation.ts'
export { askSignatureVerifier } from './verify/askSignatureVerifier.ts'
export { checkTempoSignature } from './verify/checkTempoSignature.ts'
export { type AccessKey, getAccessKey } from './verify/getAccessKey.ts'
export type { TempoSignatureCheck, TempoSignatureProblem } from './verify/tempoSignatureCheck.ts'
export { tempoSignatures } from './verify/tempoSignatures.ts'
export { verifyTempoSignature } from './verify/verifyTempoSignature.ts'
export type { WebAuthnExpectation } from './verify/webAuthnExpectation.ts'
