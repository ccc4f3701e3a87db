// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "./ICredits.sol";

/// @title What a payment by card, wire or order does on the chain once it settles
/// @notice The operator pays for it in USDC, less what the customer pays by an authorization of its own. All of a payment happens in
/// one transaction, or nothing of it does. Amounts are raw units of USDC. PROTOCOL.md 10.2.
interface IPaymentSettlement {
    /// @notice What becomes of the amount.
    enum Outcome {
        Execute,
        MintCredits,
        PayUsdc
    }

    /// @notice The customer's EIP-3009 authorization. `method` None: the customer pays nothing here.
    /// @param signed all of it is what `from` signed; `to` is this contract
    /// @param landed somebody else sent it to the token, as a `TransferWithAuthorization`: the money is here already
    struct Authorization {
        ICredits.EarlyAuthorization signed;
        ICredits.UsdcMethod method;
        bool landed;
    }

    /// @notice One payment.
    /// @param id settled once, ever
    /// @param customer receives what the settlement delivers, and credits for what it left
    /// @param creditSeed the merchant's, whose whitelist counts
    /// @param amount above zero: what the settlement may spend, what is minted or what is paid
    /// @param receiver of the credits or the USDC; zero with `Execute`
    /// @param settlement as in a redeem; all zero but with `Execute`
    /// @param nftIds the ERC-721 tokens that the settlement delivers: exactly these, or nothing happens. Empty: what came, if
    /// anything did, is with the escrow, from where anybody hands it on
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

    /// @param refunded what the settlement left of the amount: credits of the customer
    event PaymentSettled(
        bytes32 indexed id,
        address indexed customer,
        Outcome outcome,
        uint256 amount,
        uint256 customerUsdc,
        uint256 refunded
    );
    event LandedAuthorizationReturned(address indexed from, bytes32 indexed nonce, uint256 value);

    error ZeroAddress(string field);
    error ZeroAmount();
    error AlreadySettled(bytes32 id);
    error UnexpectedField(string field);
    error AuthorizationAlreadyCounted(address from, bytes32 nonce);
    error AuthorizationNotLanded(address from, bytes32 nonce);
    /// @dev As the token verifies it, with ERC-1271.
    error InvalidLandedAuthorization(address from, bytes32 digest);
    error TransferredAmountMismatch(uint256 received, uint256 expected);
    error InvalidV1SignatureLength(uint256 length);
    error OtherTokensArrived(address nftContract, uint256 arrived, uint256 expected);
    error ForbiddenTarget(address target);

    /// @notice Settles a payment. Operators only. What the customer's USDC has above the amount, for the payment's fees, is the
    /// operator's.
    function settle(Payment calldata payment) external;

    /// @notice Gives an authorization that landed early, and that no payment counts, back to who signed it. Operators only, who have
    /// seen that it landed: the token shows a cancelled one alike.
    function returnLanded(ICredits.EarlyAuthorization calldata authorization) external;

    function settled(bytes32 id) external view returns (bool);

    /// @notice Where settlements of a customer are delivered: a contract that hands everything on to this customer and to nobody else.
    /// The same address on every chain on which this contract has the same one.
    function escrowOf(address customer) external view returns (address);

    /// @notice Puts the customer's escrow there, on a chain where nothing was settled. Anybody may.
    function deployEscrow(address customer) external returns (address escrow);
}
