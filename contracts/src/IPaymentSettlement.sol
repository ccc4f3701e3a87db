// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "./ICredits.sol";
import {IEmergencyPause} from "./IEmergencyPause.sol";
import {IUsdc} from "./IUsdc.sol";

/// @title Settles payments by card, wire or Pix on chain
/// @notice Executes what the customer bought, once the payment settles. The operator pays in USDC, less the part that
/// the customer pays with an EIP-3009 authorization. A payment takes effect in one transaction, completely or not at
/// all. The customer signs the whole payment, so an operator can settle an authorization only for these terms. Amounts
/// are raw units of USDC (6 decimals), times are unix seconds. See PROTOCOL.md 10.2.
/// @dev The nonce of the authorization is the order key, followed by the last 20 bytes of
/// `keccak256(abi.encode(PAYMENT_TYPEHASH, customer, uint8(outcome), receiver, settlementHash, keccak256(bytes(creditSeed)), amount, value, salt))`.
interface IPaymentSettlement is IEmergencyPause {
    /// @notice What the amount is used for.
    /// @dev The numbers are part of the nonce that the customer signs.
    enum Outcome {
        Execute,
        MintCredits,
        PayUsdc
    }

    /// @notice The customer's EIP-3009 `ReceiveWithAuthorization`. `from` is the payment's customer, `to` is this
    /// contract; the nonce is computed from the payment. With method `None`, the customer pays nothing here, and every
    /// other field is zero.
    /// @param method `None`, `ReceiveV1` (a 65-byte signature) or `ReceiveV2` (a signature of any length)
    /// @param value the amount that the customer pays; the part above `amount` is the fee, and goes to the operator
    /// @param validAfter unix seconds, exclusive: the token accepts the authorization after this second
    /// @param validBefore unix seconds: the token rejects the authorization from this second on
    /// @param orderKey the customer's order: highest bit set; a second authorization cannot pay it
    /// @param salt 32 random bytes that the customer's client drew
    /// @param signature by the customer's key, or by its contract (ERC-1271)
    struct Authorization {
        ICredits.UsdcMethod method;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes12 orderKey;
        bytes32 salt;
        bytes signature;
    }

    /// @notice One payment.
    /// @param id the service's ID of the payment, which is settled at most once
    /// @param customer the account that receives the settlement's tokens, and the refund as credits; pays the authorization
    /// @param creditSeed the merchant's credit balance, whose whitelist applies
    /// @param amount above zero: the amount that the settlement may spend, that is minted, or that is paid
    /// @param outcome what the amount is used for
    /// @param receiver of the credits or the USDC; zero with `Execute`
    /// @param settlement as in a redeem with `Execute`; ignored otherwise
    /// @param nftIds the ERC-721 tokens that the settlement delivers: exactly these, or the payment reverts. If empty,
    /// tokens that arrive stay in the customer's escrow, from which anyone can send them to the customer
    /// @param authorization the customer's USDC authorization
    struct Payment {
        bytes32 id;
        address customer;
        string creditSeed;
        uint256 amount;
        Outcome outcome;
        address receiver;
        ICredits.Settlement settlement;
        uint256[] nftIds;
        Authorization authorization;
    }

    /// @notice A payment was settled.
    /// @param id the service's id of the payment
    /// @param customer the customer of the payment
    /// @param orderKey the order that the customer's authorization paid; zero without one
    /// @param outcome what the amount is used for
    /// @param receiver of the credits or the USDC; zero with `Execute`
    /// @param amount the amount that was spent, minted or paid
    /// @param customerUsdc what the customer paid by authorization; the part above `amount` is the fee
    /// @param refunded the part that the settlement did not spend, now the customer's credits
    event PaymentSettled(
        bytes32 indexed id,
        address indexed customer,
        bytes12 indexed orderKey,
        Outcome outcome,
        address receiver,
        uint256 amount,
        uint256 customerUsdc,
        uint256 refunded
    );

    /// @notice A required address is zero.
    /// @param field name of the field
    error ZeroAddress(string field);
    /// @notice The payment's amount, or the value of its authorization, is zero.
    error ZeroAmount();
    /// @notice A payment with this ID was already settled.
    /// @param id the service's id of the payment
    error AlreadySettled(bytes32 id);
    /// @notice An authorization already paid this order, under this payment ID or a different one.
    /// @param customer the account that paid it
    /// @param orderKey the order
    error OrderAlreadyPaid(address customer, bytes12 orderKey);
    /// @notice The highest bit of an order key is clear.
    /// @param orderKey the refused key
    error InvalidOrderKey(bytes12 orderKey);
    /// @notice The authorization is a `TransferWithAuthorization`, which anyone could execute early.
    /// @param nonce the nonce of the payment
    error ReceiveAuthorizationRequired(bytes32 nonce);
    /// @notice The payment sets a field that it does not use.
    /// @param field name of the field
    error UnexpectedField(string field);
    /// @notice The token did not move the value of the authorization.
    /// @param received the amount that arrived
    /// @param expected the value of the authorization
    error TransferredAmountMismatch(uint256 received, uint256 expected);
    /// @notice Method `ReceiveV1` requires a signature of exactly 65 bytes.
    /// @param length bytes of the signature that was sent
    error InvalidV1SignatureLength(uint256 length);
    /// @notice The settlement delivered ERC-721 tokens other than `nftIds`.
    /// @param nftContract the token contract
    /// @param arrived how many tokens arrived
    /// @param expected how many `nftIds` names
    error OtherTokensArrived(address nftContract, uint256 arrived, uint256 expected);
    /// @notice USDC or credits would be lost at this address, which is the token, the credits contract, this contract or an escrow.
    /// @param target the refused address
    error ForbiddenTarget(address target);

    /// @notice Settles a payment. Callable only by an operator, and not while paused. The operator pays the part of the amount
    /// that the customer's authorization does not cover, by its allowance to this contract, and receives the part of
    /// the authorization above the amount.
    /// @dev Reverts with the token's own error if the customer did not sign an authorization for exactly this payment.
    /// @param payment the payment
    function settle(Payment calldata payment) external;

    /// @notice Returns the EIP-712 type hash of the payment that the nonce of an authorization commits to.
    /// @return the hash
    function PAYMENT_TYPEHASH() external view returns (bytes32);

    /// @notice Returns the nonce that the customer signs to pay `payment.authorization.value` of this payment in USDC.
    /// @dev Ignores `id`, `nftIds`, the times, the method and the signature. A decent settlement is hashed with the
    /// credits contract's current bridge adapter.
    /// @param payment the payment
    /// @return nonce the order key, then the commitment
    function paymentNonce(Payment calldata payment) external view returns (bytes32 nonce);

    /// @notice Returns whether a payment was settled.
    /// @param id the service's id of the payment
    /// @return true if it was settled
    function settled(bytes32 id) external view returns (bool);

    /// @notice Returns whether a customer's authorization has paid an order.
    /// @param customer who pays
    /// @param orderKey the order
    /// @return true if it has
    function orderPaid(address customer, bytes12 orderKey) external view returns (bool);

    /// @notice Returns the escrow of a customer, which receives the settlements' tokens and forwards them only to this
    /// customer. The escrow has the same address on every chain on which this contract has the same address.
    /// @param customer the account that receives everything
    /// @return escrow its address, deployed or not
    function escrowOf(address customer) external view returns (address escrow);

    /// @notice Deploys the escrow of a customer, unless it is already deployed. Anyone may call it.
    /// @param customer the account that receives everything
    /// @return escrow its address
    function deployEscrow(address customer) external returns (address escrow);

    /// @notice Returns the credits contract, where this contract is a minter.
    /// @return its address
    function credits() external view returns (ICredits);

    /// @notice Returns the USDC of the credits contract.
    /// @return its address
    function usdc() external view returns (IUsdc);
}
