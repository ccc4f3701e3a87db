// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @title Sells tickets for USDC, to customers who hold no coin and send no transaction
contract TicketShop {
    /// @notice 10 USD.
    uint256 public constant PRICE = 10_000_000;

    IERC20 public immutable usdc;
    uint256 public left;
    mapping(address holder => uint256) public ticketsOf;

    error SoldOut(uint256 left);

    constructor(address usdc_, uint256 tickets) {
        usdc = IERC20(usdc_);
        left = tickets;
    }

    /// @param receiver the account that gets the tickets; `msg.sender` is the credits contract, which pays
    function buy(address receiver, uint256 count) external {
        if (count > left) revert SoldOut(left);
        require(usdc.transferFrom(msg.sender, address(this), _price(count)), "TicketShop: not paid");
        left -= count;
        ticketsOf[receiver] += count;
    }

    function _price(uint256 count) internal pure virtual returns (uint256) {
        return count * PRICE;
    }
}

/// @title Takes only half of the price
contract GenerousShop is TicketShop {
    constructor(address usdc_, uint256 tickets) TicketShop(usdc_, tickets) {}

    function _price(uint256 count) internal pure override returns (uint256) {
        return count * PRICE / 2;
    }
}
