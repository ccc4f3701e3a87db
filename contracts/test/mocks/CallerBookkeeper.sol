// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Takes its caller for the customer, and stores it in the ways that contracts use
contract CallerBookkeeper is Payment {
    struct Order {
        uint64 paidAt;
        address payer;
    }

    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(uint256 plan => bool)) public hasPlan;
    mapping(uint256 id => Order) public orders;
    mapping(bytes32 account => uint256) public toppedUp;

    event Paid(address indexed payer, uint256 price);
    event ToppedUp(bytes32 indexed account);

    constructor(address usdc_) Payment(usdc_) {}

    function topUp(uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += price;
    }

    function subscribe(uint256 plan, uint256 price) external {
        _pull(price);
        hasPlan[msg.sender][plan] = true;
    }

    function order(uint256 id, uint256 price) external {
        _pull(price);
        orders[id] = Order(uint64(block.number), msg.sender);
    }

    /// @dev Stores the account as the customer; the caller is only in the event.
    function topUpAccount(bytes32 account, uint256 price) external {
        _pull(price);
        toppedUp[account] += price;
        emit Paid(msg.sender, price);
    }

    /// @dev The account is only in an event.
    function topUpAnnouncedAccount(bytes32 account, uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += price;
        emit ToppedUp(account);
    }

    /// @dev Stores the account, and counts what its caller spent.
    function topUpCounted(bytes32 account, uint256 price) external {
        _pull(price);
        toppedUp[account] += price;
        balanceOf[msg.sender] += price;
    }

    /// @dev Stores its caller beside the customer.
    function topUpFor(address account, uint256 price) external {
        _pull(price);
        balanceOf[account] += price;
        orders[1].payer = msg.sender;
    }

    /// @dev Ignores the customer that it is given.
    function topUpIgnoring(address account, uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += account == address(0) ? 0 : price;
    }

    /// @dev Delivers by an event alone, and stores its caller.
    function topUpAnnounced(address account, uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += price;
        emit Paid(account, price);
    }
}
