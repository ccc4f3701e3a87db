// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "./ICredits.sol";

/// @title Hashes that a wallet signs, or to which a permit's nonce commits
/// @dev See PROTOCOL.md 3, 4 and 5.1. `RedeemHash.t.sol` pins the type hashes and known answers.
library RedeemHash {
    bytes32 internal constant CREDITS_AUTHORIZATION_TYPEHASH = keccak256(
        "CreditsAuthorization(address customerWallet,string creditSeed,uint256 amount,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 internal constant CANCEL_CREDITS_AUTHORIZATION_TYPEHASH =
        keccak256("CancelCreditsAuthorization(address customerWallet,bytes32 nonce)");
    bytes32 internal constant REDEEM_INTENT_TYPEHASH = keccak256(
        "RedeemIntent(address customerWallet,bytes32 settlementHash,uint256 amount,uint256 usdcAmount,bytes32 salt)"
    );
    bytes32 internal constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @dev The bit that is set in every intent-bound nonce, and clear in random nonces.
    uint256 internal constant INTENT_BOUND_BIT = 1 << 255;

    function creditsAuthorization(ICredits.Permit calldata permit, bytes32 creditSeedHash)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                CREDITS_AUTHORIZATION_TYPEHASH,
                permit.customerWallet,
                creditSeedHash,
                permit.amount,
                permit.validBefore,
                permit.nonce
            )
        );
    }

    function cancelCreditsAuthorization(address customerWallet, bytes32 nonce) internal pure returns (bytes32) {
        return keccak256(abi.encode(CANCEL_CREDITS_AUTHORIZATION_TYPEHASH, customerWallet, nonce));
    }

    /// @dev Returns the struct hash of an EIP-3009 `TransferWithAuthorization`.
    function transferWithAuthorization(ICredits.EarlyAuthorization calldata authorization, address to)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                TRANSFER_WITH_AUTHORIZATION_TYPEHASH,
                authorization.from,
                to,
                authorization.value,
                authorization.validAfter,
                authorization.validBefore,
                authorization.nonce
            )
        );
    }

    /// @param bridgeAdapter part of the hash of a decent settlement; ignored for other kinds
    function settlement(ICredits.Settlement calldata settlement_, address bridgeAdapter)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                uint8(settlement_.kind),
                settlement_.target,
                keccak256(settlement_.data),
                settlement_.nftContract,
                settlement_.nftId,
                settlement_.kind == ICredits.Kind.Decent ? _bridge(settlement_.bridge, bridgeAdapter) : bytes32(0)
            )
        );
    }

    /// @dev Returns the settlement hash of a token settlement, whose other fields are zero.
    function tokenSettlement(address destination) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(uint8(ICredits.Kind.Token), destination, keccak256(""), address(0), uint256(0), bytes32(0))
        );
    }

    function _bridge(ICredits.Bridge calldata bridge, address adapter) private pure returns (bytes32) {
        return keccak256(abi.encode(adapter, bridge.dstChainId, bridge.dstToken, bridge.isNative, bridge.cost));
    }

    function isIntentBound(bytes32 nonce) internal pure returns (bool) {
        return uint256(nonce) & INTENT_BOUND_BIT != 0;
    }

    /// @dev Returns the order key with its highest bit set, followed by the last 20 bytes of the intent's hash.
    function intentNonce(
        bytes12 orderKey,
        address customerWallet,
        bytes32 settlementHash,
        uint256 amount,
        uint256 usdcAmount,
        bytes32 salt
    ) internal pure returns (bytes32) {
        bytes32 hash = keccak256(
            abi.encode(REDEEM_INTENT_TYPEHASH, customerWallet, settlementHash, amount, usdcAmount, salt)
        );
        return bytes32(uint256(bytes32(orderKey)) | INTENT_BOUND_BIT | uint160(uint256(hash)));
    }
}
