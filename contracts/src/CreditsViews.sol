// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CreditsBase} from "./CreditsBase.sol";
import {ICredits} from "./ICredits.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {Totals} from "./Totals.sol";

/// @title The view functions of `Credits`
abstract contract CreditsViews is CreditsBase {
    using Totals for uint256;

    bytes32 private constant BURN_TYPEHASH = keccak256(
        "BurnCredits(address customerWallet,string creditSeed,uint256 amount,uint256 validBefore,uint256 nonce)"
    );

    // Balances and orders

    /// @inheritdoc ICredits
    function creditsOf(string calldata creditSeed, address wallet) public view returns (uint256) {
        return _credits[keccak256(bytes(creditSeed))][wallet];
    }

    /// @inheritdoc ICredits
    function getCreditsBalance(address wallet, string calldata creditSeed) external view returns (uint256) {
        return creditsOf(creditSeed, wallet);
    }

    /// @inheritdoc ICredits
    function totalCredits() external view returns (uint256) {
        return _totals.credits();
    }

    /// @inheritdoc ICredits
    function feesOwed() external view returns (uint256) {
        return _totals.fees();
    }

    /// @inheritdoc ICredits
    function surplus() external view returns (uint256 excess) {
        (excess,) = solvency();
    }

    /// @inheritdoc ICredits
    function solvency() public view nonReentrantView returns (uint256 excess, uint256 shortage) {
        uint256 balance = _balance();
        uint256 owed = _owed();
        return balance > owed ? (balance - owed, uint256(0)) : (uint256(0), owed - balance);
    }

    // Orders and permits

    /// @inheritdoc ICredits
    function orderState(address wallet, bytes12 orderKey)
        external
        view
        virtual
        returns (OrderState state, bytes20 commitment, uint40 timestamp)
    {
        uint256 order = _orders[wallet][orderKey];
        return (_stateOf(order), _commitmentOf(order), uint40(order >> TIMESTAMP_SHIFT));
    }

    /// @inheritdoc ICredits
    function randomNoncePermitsAllowed(string calldata creditSeed) external view returns (bool) {
        return _randomNoncePermits[keccak256(bytes(creditSeed))];
    }

    /// @inheritdoc ICredits
    function whitelisted(string calldata creditSeed, uint256 chainId, address target, bytes4 selector)
        external
        view
        returns (bool allowed, uint256 minimumGas)
    {
        return _whitelistRule(keccak256(bytes(creditSeed)), chainId, target, selector);
    }

    // Hashes

    /// @inheritdoc ICredits
    function hashCreditsAuthorization(Permit calldata permit) external view returns (bytes32 digest) {
        return _hashTypedDataV4(RedeemHash.creditsAuthorization(permit, keccak256(bytes(permit.creditSeed))));
    }

    /// @inheritdoc ICredits
    function hashCancelCreditsAuthorization(address customerWallet, bytes32 nonce)
        public
        view
        returns (bytes32 digest)
    {
        return _hashTypedDataV4(RedeemHash.cancelCreditsAuthorization(customerWallet, nonce));
    }

    /// @inheritdoc ICredits
    function hashBurnCredits(address customerWallet, string calldata creditSeed, uint256 amount, uint256 validBefore)
        public
        view
        returns (bytes32 digest)
    {
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        uint256 nonce = burnNonce[customerWallet];
        return _hashTypedDataV4(
            keccak256(abi.encode(BURN_TYPEHASH, customerWallet, creditSeedHash, amount, validBefore, nonce))
        );
    }

    /// @inheritdoc ICredits
    function hashSettlement(Settlement calldata settlement) external view returns (bytes32) {
        return _settlementHash(settlement);
    }

    /// @inheritdoc ICredits
    function intentNonce(bytes12 orderKey, address customerWallet, bytes32 settlementHash, Intent calldata intent)
        external
        pure
        returns (bytes32)
    {
        return
            RedeemHash.intentNonce(
                orderKey, customerWallet, settlementHash, intent.amount, intent.usdcAmount, intent.salt
            );
    }

    /// @inheritdoc ICredits
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @dev Uses the current bridge adapter, so a permit that was signed for a different adapter does not match.
    function _settlementHash(Settlement calldata settlement) internal view returns (bytes32) {
        return RedeemHash.settlement(settlement, settlement.kind == Kind.Decent ? bridgeAdapter : address(0));
    }
}
