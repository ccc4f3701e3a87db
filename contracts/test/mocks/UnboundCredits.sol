// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CustomerExit} from "../../src/CustomerExit.sol";
import {ICredits} from "../../src/ICredits.sol";
import {IUsdc} from "../../src/IUsdc.sol";
import {InitialRoles} from "../../src/InitialRoles.sol";
import {Ledger} from "../../src/Ledger.sol";
import {Permits} from "../../src/Permits.sol";
import {Setup} from "../../src/RoleGrant.sol";
import {Settlements} from "../../src/Settlements.sol";
import {UsdcCollection} from "../../src/UsdcCollection.sol";
import {Whitelist} from "../../src/Whitelist.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title Plays the credits contract of a service whose permits say nothing of what they pay for
/// @notice A simulation for tests and the sandbox of contracts that others run, never to be deployed for value: whoever holds
/// the operator role decides what a permit is spent on.
/// @dev PROTOCOL.md 4.6. Books, whitelist, the customer's USDC and the six shapes are those of `Credits`. A permit's nonce is any 32
/// bytes, used once per wallet, and only an operator may redeem. To a caller there is no `orderState`, no cancellation and no
/// batch: such a call reverts without data, as that of a missing function does. `Redeemed` is never emitted.
contract UnboundCredits is UsdcCollection, Settlements, CustomerExit {
    /// @dev By the full nonce: to these contracts its bytes have no meaning.
    mapping(address wallet => mapping(bytes32 nonce => uint256 flags)) private _uses;

    /// @param usdc_ the settlement token, 6 decimals
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param feeRecipient_ receives the gas fees
    /// @param signatureVerifier_ the chain's own signature verifier; zero for none
    /// @param setup what else holds from the beginning
    constructor(
        IUsdc usdc_,
        address admin,
        uint48 adminDelay,
        address feeRecipient_,
        address signatureVerifier_,
        Setup memory setup
    )
        AccessControlDefaultAdminRules(adminDelay, admin)
        InitialRoles(setup.grants)
        Ledger(usdc_, feeRecipient_)
        Permits(signatureVerifier_)
        Whitelist(setup.bridgeAdapter, setup.ownContracts)
    {}

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata request) external nonReentrant whenNotPaused {
        Permit calldata permit = request.permit;
        Intent calldata intent = request.intent;
        string calldata creditSeed = permit.creditSeed;
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        if (!hasRole(OPERATOR_ROLE, msg.sender)) revert UnboundPermitNotAllowed(creditSeed, msg.sender);
        if (intent.salt != 0) revert SaltNotAllowed(intent.salt);
        if (intent.amount == 0) revert ZeroAmount();
        if (intent.usdcAmount > intent.amount) revert UsdcAmountExceedsAmount(intent.usdcAmount, intent.amount);
        uint256 charged = intent.amount - intent.usdcAmount + request.gasFee;
        if (charged > permit.amount) revert ExceedsAuthorized(charged, permit.amount);
        _requirePermit(permit, creditSeedHash);

        _useNonce(permit.customerWallet, permit.nonce, intent.usdcAmount == 0 ? REDEEMED : REDEEMED | USDC_COLLECTED);
        _charge(creditSeed, creditSeedHash, permit.customerWallet, charged, request.gasFee);
        _collectUsdc(permit, intent.usdcAmount, request.usdcAuthorization);
        _settle(permit, intent.amount, request.settlement, creditSeedHash);
    }

    /// @dev Absent.
    function redeemBatch(bytes[] calldata, uint256[] calldata) external pure returns (BatchResult[] memory) {
        revert();
    }

    /// @dev Absent.
    function redeemToken(Permit calldata, uint256, bytes32, address, uint256) external pure {
        revert();
    }

    /// @dev Absent.
    function orderState(address, bytes12)
        external
        pure
        override(ICredits, Permits)
        returns (OrderState, bytes20, uint40)
    {
        revert();
    }

    /// @dev Absent.
    function cancelCreditsAuthorization(address, bytes32, bytes calldata) external pure override(ICredits, Permits) {
        revert();
    }

    /// @inheritdoc Settlements
    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(AccessControlDefaultAdminRules, Settlements)
        returns (bool)
    {
        return super.supportsInterface(interfaceId);
    }

    function _useNonce(address wallet, bytes32 nonce, uint256 flags) private {
        if (_uses[wallet][nonce] != 0) {
            revert OrderUsed(wallet, bytes12(nonce), OrderState.Redeemed, bytes20(uint160(uint256(nonce))));
        }
        _uses[wallet][nonce] = flags;
    }

    function _isUsdcCollected(address wallet, bytes32 nonce) internal view override returns (bool) {
        return _uses[wallet][nonce] & USDC_COLLECTED != 0;
    }

    /// @dev Every nonce is a random one.
    function _requireMayLandEarly(bytes32) internal pure override {}
}
