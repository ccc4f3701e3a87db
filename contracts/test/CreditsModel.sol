// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {SmartWallet} from "./mocks/Wallets.sol";

/// @title The expected state of the contracts after the steps so far
/// @dev Each step predicts whether it succeeds and which amounts it moves, without reading an amount from the contracts.
abstract contract CreditsModel is CreditsFixture {
    uint256 internal constant WALLETS = 4;
    /// @dev The last wallet is a contract.
    uint256 internal constant SMART = 3;
    uint256 internal constant SEEDS = 2;

    /// @dev The expected state of a wallet's order.
    struct Order {
        address wallet;
        bytes12 orderKey;
        ICredits.OrderState state;
        bytes20 commitment;
        uint256 timestamp;
    }

    HostileMerchant internal hostile;
    address[WALLETS] internal wallets;
    uint256[WALLETS] internal keys;
    string[SEEDS] internal seeds;

    mapping(uint256 seed => mapping(uint256 who => uint256)) internal creditsIn;
    mapping(uint256 seed => bool) internal randomNonceIn;
    mapping(uint256 seed => mapping(address target => bool)) internal allowedIn;
    mapping(bytes32 orderOfWallet => Order) private _orders;
    /// @dev USDC authorizations that were executed early at the token.
    mapping(bytes32 nonceOfWallet => bool) internal mined;
    /// @dev USDC of each account. The balance of the credits contract follows from the other totals.
    mapping(address account => uint256) internal usdcOf;
    address[] internal accounts;
    uint256 internal fees;
    /// @dev USDC from gifts, and USDC that was executed early and is not credited yet.
    uint256 internal surplus;
    uint256 internal pausedUntil;
    uint256 internal pausedSince;
    address internal feesGoTo;
    /// @dev Whether the credits contract has no adapter.
    bool internal bridgeClosed;
    /// @dev End of the adapter's pause.
    uint256 internal hereUntil;

    /// @notice How often each kind of step has succeeded.
    mapping(string step => uint256) public went;
    /// @notice How often each kind of step was refused.
    mapping(string step => uint256) public refused;

    bytes32[] private _used;
    uint256 private _random;

    /// @dev One number decides all choices of a step, so that each choice is equally likely.
    modifier chosenBy(uint256 random) {
        _random = random;
        _;
    }

    function _setUpModel() internal {
        seeds = [SEED, "cafe"];
        keys = [CUSTOMER_KEY, uint256(keccak256("second")), uint256(keccak256("third")), uint256(keccak256("owner"))];
        for (uint256 who = 0; who < WALLETS; ++who) {
            wallets[who] = vm.addr(keys[who]);
        }
        wallets[SMART] = address(new SmartWallet(vm.addr(keys[SMART])));
        hostile = new HostileMerchant(address(usdc));
        creditsIn[0][0] = 1000 * DOLLAR;
        feesGoTo = feeRecipient;
        for (uint256 who = 0; who < WALLETS; ++who) {
            accounts.push(wallets[who]);
            _give(wallets[who], 300 * DOLLAR);
        }
        accounts.push(receiver);
        accounts.push(minter);
        accounts.push(operator);
        accounts.push(stranger);
        accounts.push(feeRecipient);
        accounts.push(address(normalMerchant));
        accounts.push(address(mint721));
        accounts.push(address(mint1155));
        accounts.push(address(returnedMerchant));
        accounts.push(address(knownMerchant));
        accounts.push(address(hostile));
        accounts.push(address(adapter));
    }

    // Comparison

    function checkBooks() external view {
        uint256 sum = 0;
        for (uint256 seed = 0; seed < SEEDS; ++seed) {
            for (uint256 who = 0; who < WALLETS; ++who) {
                vm.assertEq(credits.creditsOf(seeds[seed], wallets[who]), creditsIn[seed][who], "credits");
                sum += creditsIn[seed][who];
            }
            vm.assertEq(
                _word(credits.randomNoncePermitsAllowed(seeds[seed])),
                _word(randomNonceIn[seed]),
                "random nonce permits"
            );
        }
        vm.assertEq(credits.totalCredits(), sum, "total credits");
        vm.assertEq(credits.feesOwed(), fees, "fees");
        vm.assertEq(credits.surplus(), surplus, "surplus");
        vm.assertEq(usdc.balanceOf(address(credits)), sum + fees + surplus, "every unit");
        vm.assertEq(_word(credits.paused()), _word(_paused()), "paused");
        vm.assertEq(credits.pausedUntil(), pausedUntil, "end of the pause");
        vm.assertEq(credits.exitOpensAt(), _paused() ? pausedSince + 3 days : 0, "exit");
        (uint256 excess, uint256 shortage) = credits.solvency();
        vm.assertEq(excess, surplus, "excess");
        vm.assertEq(shortage, 0, "shortage");
        vm.assertEq(credits.feeRecipient(), feesGoTo);
        vm.assertEq(credits.bridgeAdapter(), bridgeClosed ? address(0) : address(adapter));
    }

    function checkMoney() external view {
        for (uint256 i = 0; i < accounts.length; ++i) {
            vm.assertEq(usdc.balanceOf(accounts[i]), usdcOf[accounts[i]], "USDC");
            vm.assertEq(usdc.allowance(address(credits), accounts[i]), 0, "allowance left behind");
        }
    }

    function checkTokens() external view {
        address here = address(credits);
        uint256 left = mint721.balanceOf(here) + returnedMerchant.balanceOf(here) + knownMerchant.balanceOf(here)
            + hostile.balanceOf(here) + mint1155.balanceOf(here, 1) + mint1155.balanceOf(here, 2);
        vm.assertEq(left, 0, "tokens left behind");
    }

    /// @dev Compares the newest orders and a random older one.
    function checkOrders() external view {
        uint256 length = _used.length;
        vm.assertEq(uint256(_orderState(wallets[0], bytes32(block.timestamp))), 0, "unused order");
        for (uint256 i = 0; i < 4 && i < length; ++i) {
            Order storage order = _orders[_used[i == 3 ? uint256(_used[length - 1]) % length : length - 1 - i]];
            (ICredits.OrderState state, bytes20 commitment, uint40 timestamp) =
                credits.orderState(order.wallet, order.orderKey);
            vm.assertEq(uint256(state), uint256(order.state), "state of the order");
            vm.assertEq(bytes32(commitment), bytes32(order.commitment), "commitment of the order");
            vm.assertEq(timestamp, order.timestamp, "timestamp of the order");
        }
    }

    // Recording steps

    /// @dev Returns a number below `bound_`.
    function _pick(uint256 bound_) internal returns (uint256) {
        _random = uint256(keccak256(abi.encode(_random)));
        return _random % bound_;
    }

    function _paused() internal view returns (bool) {
        return block.timestamp < pausedUntil;
    }

    function _pausedHere() internal view returns (bool) {
        return block.timestamp < hereUntil;
    }

    function _word(bool value) internal pure returns (uint256) {
        return value ? 1 : 0;
    }

    function _keyOf(address wallet, bytes32 nonce) internal pure returns (bytes32) {
        return keccak256(abi.encode(wallet, nonce));
    }

    /// @dev Returns the state of a nonce's order, which any nonce of the order may have changed.
    function _stateIn(address wallet, bytes32 nonce) internal view returns (ICredits.OrderState) {
        return _orders[_keyOf(wallet, bytes12(nonce))].state;
    }

    function _setState(address wallet, bytes32 nonce, ICredits.OrderState state) internal {
        bytes32 key = _keyOf(wallet, bytes12(nonce));
        vm.assertEq(uint256(_orders[key].state), 0, "an order is used once");
        _orders[key] = Order(wallet, bytes12(nonce), state, bytes20(uint160(uint256(nonce))), block.timestamp);
        _used.push(key);
    }

    /// @dev Records that a step succeeded as expected.
    function _went(string memory step, bool expected) internal {
        vm.assertTrue(expected, step);
        ++went[step];
    }

    /// @dev Records that a step was refused as expected.
    function _refused(string memory step, bool expected) internal {
        assertFalse(expected, step);
        ++refused[step];
    }

    function _give(address account, uint256 amount) internal {
        _fund(account, amount);
        usdcOf[account] += amount;
    }

    function _indexOf(address wallet) internal view returns (uint256 who) {
        while (wallets[who] != wallet) ++who;
    }
}
